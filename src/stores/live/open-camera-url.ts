import { $devices } from '../home/devices.ts'
import { $singleCameraId, CAMERA_PARAM, closeSingleCamera } from './live-layout.ts'
import { showToast } from '../shell/toasts.ts'

/**
 * State key of a history entry that the page added when the user opened a camera. From this entry, Back returns to all
 * cameras.
 */
const CAMERA_OPENED_STATE_KEY = 'cameraOpened'

/**
 * Keeps the URL in sync with the camera that is shown alone, for copying and reloading. Switching cameras adds no
 * history entry, so that Back returns to all cameras. Closes a camera that the loaded list lacks. Returns a function
 * that stops the sync.
 */
export function syncOpenCameraWithUrl(): () => void {
  const onPopState = () => $singleCameraId.set(readCameraFromUrl())
  addEventListener('popstate', onPopState)
  const stops = [
    () => removeEventListener('popstate', onPopState),
    $singleCameraId.listen(writeCameraToUrl),
    $devices.subscribe((deviceState) => {
      const singleCameraId = $singleCameraId.get()
      if (
        deviceState.state !== 'ready' ||
        singleCameraId === '' ||
        deviceState.devices.some(({ device_id }) => device_id === singleCameraId)
      )
        return
      closeSingleCamera()
      showToast('warning', 'This camera is not among yours. Here are all that are.')
    }),
  ]
  return () => stops.forEach((stop) => stop())
}

const readCameraFromUrl = () => new URLSearchParams(location.search).get(CAMERA_PARAM) ?? ''

function writeCameraToUrl(deviceId: string): void {
  const currentId = readCameraFromUrl()
  if (currentId === deviceId) return
  const state = history.state as Record<string, unknown> | null
  if (deviceId === '' && state?.[CAMERA_OPENED_STATE_KEY]) return history.back()
  const url = new URL(location.href)
  if (deviceId) url.searchParams.set(CAMERA_PARAM, deviceId)
  else url.searchParams.delete(CAMERA_PARAM)
  if (currentId === '') history.pushState({ ...state, [CAMERA_OPENED_STATE_KEY]: true }, '', url)
  else history.replaceState(state, '', url)
}
