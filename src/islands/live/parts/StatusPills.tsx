import { Suspense } from 'react'
import type { TileState } from '../../../media/live/tile-state-machine.ts'
import { LazyStatePill, LazyTileFigures } from './lazy-tile-parts.ts'
import { getStateLabel } from './tile-labels.ts'

/** Top row of a tile or of the large video: state, resolution and delay. */
export function StatusPills({ tile }: { tile: TileState }) {
  const stateLabel = getStateLabel(tile)
  const { figures, steps } = tile
  if (tile.phase === 'idle') return null
  return (
    <div className="tile-top live-pills">
      {stateLabel === 'live' ? (
        <span className="pill">
          <i className="dot-live" />
          Live
        </span>
      ) : (
        <Suspense>
          <LazyStatePill word={stateLabel} />
        </Suspense>
      )}
      <Suspense>{tile.phase === 'playing' && figures && <LazyTileFigures steps={steps} figures={figures} />}</Suspense>
    </div>
  )
}
