import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { $singleCameraId, closeSingleCamera } from '../../../stores/live/live-layout.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { $cameraView, loadCameraView } from './load-camera.ts'
import { watchCameraOpening } from './open-transition.ts'

/** View of the open camera. Until its script has loaded, the grid shows only the camera's tile. */
export function DeferredCameraView() {
  const openCameraId = useStore($singleCameraId)
  const camera = useStore($liveCameras).find(({ device_id }) => device_id === openCameraId)
  const [View, setView] = useState(() => $cameraView.get())
  const isLoading = camera !== undefined && !View
  useEffect(watchCameraOpening, [])
  useEffect(() => $cameraView.subscribe(() => setView(() => $cameraView.get())), [])
  useEffect(() => {
    if (!isLoading) return
    loadCameraView().catch(() => {
      closeSingleCamera()
      showToast('error', 'This part of the page did not load. Check your connection and try again.')
    })
  }, [isLoading])
  return View && camera ? <View camera={camera} /> : null
}
