import { $devices } from '../home/devices.ts'
import { showToast } from '../shell/toasts.ts'
import { $singleCameraId, closeSingleCamera } from './live-layout.ts'

/** Closes an open camera that the loaded list lacks, and shows a toast. Returns a function that stops this. */
export const closeMissingCamera = (): (() => void) =>
  $devices.subscribe((deviceState) => {
    const openCameraId = $singleCameraId.get()
    if (
      deviceState.state !== 'ready' ||
      openCameraId === '' ||
      deviceState.devices.some(({ device_id }) => device_id === openCameraId)
    )
      return
    closeSingleCamera()
    showToast('warning', 'You don’t have access to this camera. Here are all your cameras.')
  })
