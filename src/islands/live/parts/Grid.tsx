import { useStore } from '@nanostores/react'
import { $chosen, $layout, $shown } from '../../../stores/live-page.ts'
import { Tile } from './Tile.tsx'
import { noCameras } from './no-cameras.ts'

/** The tiles; in the focus layout the first one is large. */
export function Grid() {
  const shown = useStore($shown, { ssr: noCameras })
  const layout = useStore($layout, { ssr: () => 'focus' as const })
  const chosen = useStore($chosen, { ssr: 'initial' })
  if (shown.length === 0) return <p className="live-note">Every camera is fine again.</p>
  const large = Math.max(
    0,
    shown.findIndex(({ device_id }) => device_id === chosen),
  )
  return (
    <ul className="live-grid" aria-label="Cameras" data-layout={layout} data-count={Math.min(shown.length, 7)}>
      {shown.map((camera, index) => (
        <Tile key={camera.device_id} camera={camera} isLarge={layout === 'focus' && index === large} />
      ))}
    </ul>
  )
}
