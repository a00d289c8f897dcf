import { Suspense } from 'react'
import type { TileState } from '../../../media/live/tile-state-machine.ts'
import { LazyStatePill } from './lazy-tile-parts.ts'
import { rateLatency, formatLatency, getStateLabel } from './tile-labels.ts'

/** Top row of a tile or of the large video: state, resolution and delay. */
export function StatusPills({ tile }: { tile: TileState }) {
  const stateLabel = getStateLabel(tile)
  const { figures } = tile
  if (tile.phase === 'idle') return null
  return (
    <div className="tile-top live-pills">
      {stateLabel === 'live' ? (
        <LivePill />
      ) : (
        <Suspense>
          <LazyStatePill word={stateLabel} />
        </Suspense>
      )}
      {tile.phase === 'playing' && figures && figures.height > 0 && (
        <span className="pill live-resolution">{figures.height}p</span>
      )}
      <span className="live-spacer" />
      {tile.phase === 'playing' && figures && figures.latencyMs !== null && (
        <span className="pill live-latency" data-kind={rateLatency(figures.latencyMs)} title={formatSteps(tile)}>
          <i className="dot" />
          <span className="sr-only">Delay</span>
          {formatLatency(figures.latencyMs)}
        </span>
      )}
    </div>
  )
}

function LivePill() {
  return (
    <span className="pill">
      <i className="dot-live" />
      Live
    </span>
  )
}

/** Formats the time of each step since the attempt began, and the frame rate: `playing 190 ms · 15 fps`. */
function formatSteps({ steps, figures }: TileState): string {
  const durations = Object.entries(steps).map(([step, ms]) => `${step.replaceAll('-', ' ')} ${ms} ms`)
  return [...durations, ...(figures?.fps ? [`${figures.fps} fps`] : [])].join(' · ')
}
