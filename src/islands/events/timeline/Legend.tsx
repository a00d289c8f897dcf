import { useStore } from '@nanostores/react'
import { useEffect, useMemo, useRef } from 'react'
import { TICK_NAMES, type TickKind } from '../../../domain/events/timeline-ticks.ts'
import { type ShownState, STATE_NAMES } from '../../../domain/events/timeline-viewport.ts'
import { $visitGapMs } from '../../../stores/events/visits.ts'
import { hasMinimumWidth, paintSwatch } from '../../../ui/strip-paint.ts'
import { TickMark } from '../../../ui/TickMark.tsx'
import { useIsDark } from '../../../ui/use-is-dark.ts'
import type { CameraStrip, VisibleSegment } from './camera-strips.ts'

/** Legend that lists only the states and tick kinds in view. */
export function Legend({ lanes, hint }: { lanes: readonly CameraStrip[]; hint: string }) {
  const isDark = useIsDark()
  // The strip of one camera is drawn with one block per visit, so the legend names the blocks.
  const areRunsVisits = useStore($visitGapMs) > 0 && lanes.length === 1
  const { states, kinds } = useMemo(() => listVisibleItems(lanes), [lanes])
  return (
    <div className="tl-legend">
      <div role="group" aria-label="Color legend">
        {states.map((state) => (
          <span key={state}>
            <Swatch state={state} isDark={isDark} />
            {state === 'recorded' && areRunsVisits ? 'Visit' : STATE_NAMES[state]}
          </span>
        ))}
        {kinds.map((kind, i) => (
          <span key={kind} data-first={(i === 0 && states.length > 0) || undefined}>
            <TickMark kind={kind} isDark={isDark} />
            {TICK_NAMES[kind]}
          </span>
        ))}
      </div>
      {hint && <p>{hint}</p>}
    </div>
  )
}

function listVisibleItems(strips: readonly CameraStrip[]): { states: ShownState[]; kinds: TickKind[] } {
  const states = new Set(
    strips.flatMap((strip) => strip.visible.filter((run) => isSegmentDrawn(strip, run)).map(({ state }) => state)),
  )
  const kinds = new Set(strips.flatMap(({ ticks }) => ticks.map(({ kind }) => kind)))
  return {
    states: (Object.keys(STATE_NAMES) as ShownState[]).filter((state) => states.has(state)),
    kinds: (Object.keys(TICK_NAMES) as TickKind[]).filter((kind) => kinds.has(kind)),
  }
}

/**
 * Returns true if the strip draws the segment: always for states with a minimum width, otherwise only if the segment is
 * at least one pixel wide.
 */
function isSegmentDrawn({ view, width }: CameraStrip, { run: [from, to], state }: VisibleSegment): boolean {
  return hasMinimumWidth(state) || ((to - from) / (view.end - view.begin)) * width >= 1
}

function Swatch({ state, isDark }: { state: ShownState; isDark: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current) paintSwatch(canvas.current, state, isDark)
  }, [state, isDark])
  return <canvas ref={canvas} aria-hidden className="tl-swatch" />
}
