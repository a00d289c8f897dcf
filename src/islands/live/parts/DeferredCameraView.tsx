import { useStore } from '@nanostores/react'
import { useEffect, useLayoutEffect } from 'react'
import { $singleCameraId, closeSingleCamera } from '../../../stores/live/live-layout.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'
import { LazyCameraView } from './lazy-views.ts'
import { consumeTileRect, watchCameraOpening } from './open-transition.ts'
import { CameraSkeleton } from './Skeletons.tsx'

/** View of the open camera. */
export function DeferredCameraView() {
  const openCameraId = useStore($singleCameraId)
  const camera = useStore($liveCameras).find(({ device_id }) => device_id === openCameraId)
  useEffect(watchCameraOpening, [])
  useLayoutEffect(watchEarlyEscape, [])
  return camera ? <LazyCameraView props={{ camera }} fallback={<OpeningCamera name={camera.nickname} />} /> : null
}

/** Closes the camera with Escape until page-shortcuts.ts, which loads later, handles the keys of the page. */
function watchEarlyEscape(): () => void {
  const close = ({ key }: KeyboardEvent) =>
    key === 'Escape' && !('keys' in document.documentElement.dataset) && closeSingleCamera()
  document.addEventListener('keydown', close)
  return () => document.removeEventListener('keydown', close)
}

/** Skeleton of the camera view. The tile is large already, so the view opens without an animation. */
function OpeningCamera({ name }: { name: string }) {
  useEffect(() => void consumeTileRect(), [])
  return <CameraSkeleton name={name} />
}
