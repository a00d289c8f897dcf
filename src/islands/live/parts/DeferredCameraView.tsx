import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { $alone, leaveAlone } from '../../../stores/live/live-layout.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { $cameraView, loadCamera } from './load-camera.ts'
import { watchOpening } from './open-transition.ts'

/** View of the open camera. Until its script has loaded, the grid shows only the camera's tile. */
export function DeferredCameraView() {
  const alone = useStore($alone)
  const camera = useStore($liveCameras).find(({ device_id }) => device_id === alone)
  const [View, show] = useState(() => $cameraView.get())
  const isWaiting = camera !== undefined && !View
  useEffect(watchOpening, [])
  useEffect(() => $cameraView.subscribe(() => show(() => $cameraView.get())), [])
  useEffect(() => {
    if (!isWaiting) return
    loadCamera().catch(() => {
      leaveAlone()
      showToast('error', 'This part of the page did not load. Check your connection and try again.')
    })
  }, [isWaiting])
  return View && camera ? <View camera={camera} /> : null
}
