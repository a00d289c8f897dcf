import { useEffect, useRef } from 'react'
import type { Tick } from '../domain/events/timeline-ticks.ts'
import { paintStrip } from './strip-paint.ts'
import { paintTicks } from './tick-paint.ts'
import { useIsDark } from './use-is-dark.ts'
import type { Span } from '../domain/time/date-range.ts'
import type { TimelineRun } from '../../contract/events/timeline.ts'
import type { ShownState } from '../domain/events/timeline-viewport.ts'

interface StripContent {
  readonly view: Span
  readonly visible: readonly { readonly run: TimelineRun; readonly state: ShownState }[]
  readonly ticks: readonly Tick[]
}

/** Canvas strip of one camera, with its ticks above. The selected tick is larger. */
export function StripCanvas({ lane, selectedTick: selected }: { lane: StripContent; selectedTick: Tick | null }) {
  const { visible, view, ticks } = lane
  const isDark = useIsDark()
  const stripCanvas = useCanvasPaint(
    (canvas) => {
      const runs = visible.map(({ run: [from, to], state }) => ({ from, to, state }))
      paintStrip(canvas, { view, runs, isDark, gapColor: isDark ? '#1d1726' : '#fff' })
    },
    [visible, view, isDark],
  )
  const tickCanvas = useCanvasPaint(
    (canvas) => paintTicks(canvas, { ticks, taken: selected, isDark }),
    [ticks, selected, isDark],
  )
  return (
    <>
      <canvas ref={tickCanvas} aria-hidden className="tl-lane" />
      <canvas ref={stripCanvas} aria-hidden className="tl-strip" />
    </>
  )
}

/**
 * Paints a canvas in the next frame after `inputs` or the size of the canvas have changed. Painting reads the size of
 * the canvas, which would force a layout before that frame.
 */
function useCanvasPaint(paint: (canvas: HTMLCanvasElement) => void, inputs: readonly unknown[]) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const latestPaint = useRef(paint)
  useEffect(() => {
    const isFirst = latestPaint.current === paint
    latestPaint.current = paint
    // The observer below paints the first time.
    if (isFirst) return
    const frame = requestAnimationFrame(() => canvas.current && paint(canvas.current))
    return () => cancelAnimationFrame(frame)
    // `inputs` are the dependencies of `paint`.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, inputs)
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const observer = new ResizeObserver(() => latestPaint.current(element))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return canvas
}
