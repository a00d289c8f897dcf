import { useStore } from '@nanostores/react'
import { useLayoutEffect } from 'react'
import { $layout } from '../../../stores/live/live-layout.ts'
import { $gridCameras } from '../../../stores/live/live-page.ts'
import { placeAll } from '../../../stores/live/load-tile-layout.ts'
import { Tile } from './Tile.tsx'
import { noCameras } from './empty-camera-list.ts'

export function Grid() {
  const cameras = useStore($gridCameras, { ssr: noCameras })
  const layout = useStore($layout, { ssr: () => 'automatic' as const })
  useLayoutEffect(placeAll)
  if (cameras.length === 0) return <p className="live-note">Every camera is fine again.</p>
  return (
    <ul className="live-grid" aria-label="Cameras" data-layout={layout}>
      {cameras.map((camera) => (
        <Tile key={camera.device_id} camera={camera} />
      ))}
    </ul>
  )
}
