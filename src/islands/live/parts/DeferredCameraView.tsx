import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $singleCameraId } from '../../../stores/live/live-layout.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'
import { LazyCameraView } from './lazy-views.ts'
import { watchCameraOpening } from './open-transition.ts'

/** View of the open camera. Until its script has loaded, the grid shows only the camera's tile. */
export function DeferredCameraView() {
  const openCameraId = useStore($singleCameraId)
  const camera = useStore($liveCameras).find(({ device_id }) => device_id === openCameraId)
  useEffect(watchCameraOpening, [])
  return camera ? <LazyCameraView props={{ camera }} /> : null
}
