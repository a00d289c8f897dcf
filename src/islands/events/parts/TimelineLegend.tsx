import { useEffect, useRef } from 'react'
import { type ShownState, STATE_NAMES } from '../../../domain/timeline-view.ts'
import type { Timeline } from '../../../stores/events/timeline.ts'
import { paintSwatch } from './strip-paint.ts'
import { useIsDark } from './use-dark.ts'

const ALWAYS: readonly ShownState[] = ['recorded', 'live_only', 'asleep', 'offline', 'not_kept', 'expired']
const MARKS = [
  ['Motion', '#fff'],
  ['Person or face', '#ffd27a'],
  ['Sound', '#9df0c8'],
] as const

/** What fills and marks mean: the usual ones, and whatever else is there. */
export function Legend({ loaded }: { loaded: Timeline }) {
  const present =
    loaded.state === 'ready'
      ? new Set([...loaded.runs.values()].flatMap((runs) => runs.map(([, , state]) => state)))
      : null
  const rest = (Object.keys(STATE_NAMES) as ShownState[]).filter(
    (state) => !ALWAYS.includes(state) && state !== 'filtered_out' && present?.has(state),
  )
  return (
    <div className="text-micro text-ink-2 mt-2.5 flex flex-wrap gap-x-4 gap-y-1 font-[650]">
      {[...ALWAYS, ...rest].map((state) => (
        <span key={state} className="flex items-center gap-1.5">
          <Swatch state={state} />
          {STATE_NAMES[state]}
        </span>
      ))}
      <span className="ml-auto flex flex-wrap gap-x-4">
        {MARKS.map(([name, color]) => (
          <span key={name} className="flex items-center gap-1.5">
            <span aria-hidden className="grid h-3 w-[18px] place-items-center rounded-[4px] bg-[#8460dc]">
              <i className="h-2 w-[3px] rounded-[2px]" style={{ background: color }} />
            </span>
            {name}
          </span>
        ))}
      </span>
    </div>
  )
}

function Swatch({ state }: { state: ShownState }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const isDark = useIsDark()
  useEffect(() => {
    if (canvas.current) paintSwatch(canvas.current, state, isDark)
  }, [state, isDark])
  return <canvas ref={canvas} aria-hidden className="inset-ring-line h-3 w-[18px] rounded-[4px] inset-ring" />
}
