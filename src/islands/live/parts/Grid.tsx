import { useStore } from '@nanostores/react'
import { $layout } from '../../../stores/live/live-layout.ts'
import { $shown } from '../../../stores/live/live-page.ts'
import { Tile } from './Tile.tsx'
import { noCameras } from './no-cameras.ts'

/** The tiles; in the focus layout the first one is large. */
export function Grid() {
  const shown = useStore($shown, { ssr: noCameras })
  const layout = useStore($layout, { ssr: () => 'focus' as const })
  if (shown.length === 0) return <p className="live-note">Every camera is fine again.</p>
  return (
    <ul className="live-grid" aria-label="Cameras" data-layout={layout} data-count={Math.min(shown.length, 7)}>
      {shown.map((camera, index) => (
        <Tile key={camera.device_id} camera={camera} isLarge={layout === 'focus' && index === 0} />
      ))}
    </ul>
  )
}
