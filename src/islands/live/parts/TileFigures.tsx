import type { TileState } from '../../../media/live/tile-state-machine.ts'
import { formatLatency, rateLatency } from './latency-label.ts'

type Figures = NonNullable<TileState['figures']>

/** Resolution and delay of a playing video, in the top row of its tile. */
export function TileFigures({ steps, figures }: { steps: TileState['steps']; figures: Figures }) {
  const { height, latencyMs } = figures
  return (
    <>
      {height > 0 && <span className="pill live-resolution">{height}p</span>}
      <span className="live-spacer" />
      {latencyMs !== null && (
        <span className="pill live-latency" data-kind={rateLatency(latencyMs)} title={formatSteps(steps, figures)}>
          <i className="dot" />
          <span className="sr-only">Delay</span>
          {formatLatency(latencyMs)}
        </span>
      )}
    </>
  )
}

/** Formats the time of each step since the attempt began, and the frame rate: `playing 190 ms · 15 fps`. */
function formatSteps(steps: TileState['steps'], { fps }: Figures): string {
  const durations = Object.entries(steps).map(([step, ms]) => `${step.replaceAll('-', ' ')} ${ms} ms`)
  return [...durations, ...(fps ? [`${fps} fps`] : [])].join(' · ')
}
