import { useEffect, useRef } from 'react'
import { type ShownState, STATE_NAMES } from '../../../domain/timeline-view.ts'
import type { Timeline } from '../../../stores/events/timeline.ts'
import { TICK_NAMES, type TickKind } from '../../../domain/ticks.ts'
import { paintSwatch } from '../../../ui/strip-paint.ts'
import { TickMark } from '../../../ui/TickMark.tsx'
import { useIsDark } from './use-dark.ts'

const ALWAYS: readonly ShownState[] = ['recorded', 'live_only', 'asleep', 'offline', 'not_kept', 'expired']
/** What fills and marks mean: the usual ones, and whatever else is there. */
export function Legend({ loaded }: { loaded: Timeline }) {
  const isDark = useIsDark()
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
        {(Object.keys(TICK_NAMES) as TickKind[]).map((kind) => (
          <span key={kind} className="flex items-center gap-1.5">
            <TickMark kind={kind} isDark={isDark} />
            {TICK_NAMES[kind]}
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
