import { Suspense } from 'react'
import type { TileState } from '../../../media/live/tile-state-machine.ts'
import { LazyStatePill } from './lazy-tile-parts.ts'
import { latencyKind, latencyText, stateWord } from './tile-labels.ts'

/** Top row of a tile: state, resolution and delay. */
export function Pills({ tile }: { tile: TileState }) {
  const word = stateWord(tile)
  const { figures } = tile
  if (tile.phase === 'idle') return null
  return (
    <div className="tile-top live-pills">
      {word === 'live' ? (
        <LivePill />
      ) : (
        <Suspense>
          <LazyStatePill word={word} />
        </Suspense>
      )}
      {tile.phase === 'playing' && figures && figures.height > 0 && (
        <span className="pill live-resolution">{figures.height}p</span>
      )}
      <span className="live-spacer" />
      {tile.phase === 'playing' && figures && figures.latencyMs !== null && (
        <span className="pill live-latency" data-kind={latencyKind(figures.latencyMs)} title={steps(tile)}>
          <i className="dot" />
          <span className="sr-only">Delay</span>
          {latencyText(figures.latencyMs)}
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

/** Returns the duration of each step: `connected 160 ms · playing 190 ms · 15 frames a second`. */
function steps({ steps, figures }: TileState): string {
  const climbed = Object.entries(steps).map(([step, ms]) => `${step.replaceAll('-', ' ')} ${ms} ms`)
  return [...climbed, ...(figures?.fps ? [`${figures.fps} frames a second`] : [])].join(' · ')
}
