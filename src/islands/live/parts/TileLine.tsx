import { useStore } from '@nanostores/react'
import type { Tile } from '../../../media/tile-machine.ts'
import { $today } from '../../../stores/live-today.ts'
import { ago } from './words.ts'
import { useNow } from './use-now.ts'

/** The second line under the name: what stands still, else what happened last. */
export function TileLine({ deviceId, tile }: { deviceId: string; tile: Tile }) {
  const now = useNow(30_000)
  const last = useStore($today)?.find(({ device_id }) => device_id === deviceId)
  if (tile.phase === 'stalled') return <p className="tile-line">The picture has stopped. Connecting again.</p>
  if (tile.phase !== 'playing' || !last || !now) return null
  return (
    <p className="tile-line">
      {last.title} · {ago(now.getTime() - last.event_ts)}
    </p>
  )
}
