import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $singleCameraId } from '../../../stores/live/live-layout.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'
import { LazyCameraView } from './lazy-views.ts'
import { consumeTileRect, watchCameraOpening } from './open-transition.ts'
import { CameraSkeleton } from './Skeletons.tsx'

/** View of the open camera. */
export function DeferredCameraView() {
  const openCameraId = useStore($singleCameraId)
  const camera = useStore($liveCameras).find(({ device_id }) => device_id === openCameraId)
  useEffect(watchCameraOpening, [])
  return camera ? <LazyCameraView props={{ camera }} fallback={<OpeningCamera name={camera.nickname} />} /> : null
}

/** Skeleton of the camera view. The tile is large already, so the view opens without an animation. */
function OpeningCamera({ name }: { name: string }) {
  useEffect(() => void consumeTileRect(), [])
  return <CameraSkeleton name={name} />
}
