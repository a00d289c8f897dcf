import { useStore } from '@nanostores/react'
import { useLayoutEffect } from 'react'
import { $layout } from '../../../stores/live/live-layout.ts'
import { $gridCameras } from '../../../stores/live/live-page.ts'
import { placeAllTiles } from '../../../stores/live/load-tile-layout.ts'
import { Tile } from './Tile.tsx'
import { getEmptyCameraList } from './empty-camera-list.ts'

export function Grid() {
  const cameras = useStore($gridCameras, { ssr: getEmptyCameraList })
  const layout = useStore($layout, { ssr: () => 'automatic' as const })
  useLayoutEffect(placeAllTiles)
  if (cameras.length === 0) return <p className="live-note">All cameras are working again.</p>
  return (
    <ul className="live-grid" aria-label="Cameras" data-layout={layout}>
      {cameras.map((camera) => (
        <Tile key={camera.device_id} camera={camera} />
      ))}
    </ul>
  )
}
