import { useEffect, useRef } from 'react'
import type { Tick } from '../../../domain/events/timeline-ticks.ts'
import { paintStrip } from '../../../ui/strip-paint.ts'
import { paintTicks } from '../../../ui/tick-paint.ts'
import { useIsDark } from '../parts/use-is-dark.ts'
import type { CameraStrip } from './camera-strips.ts'

/** Painted strip of one camera, with its ticks above. The selected tick (`taken`) is larger. */
export function StripPictures({ lane, taken: selected }: { lane: CameraStrip; taken: Tick | null }) {
  const { visible, view, ticks } = lane
  const isDark = useIsDark()
  const strip = usePainted(
    (canvas) => {
      const runs = visible.map(({ run: [from, to], state }) => ({ from, to, state }))
      paintStrip(canvas, { view, runs, isDark, gap: isDark ? '#1d1726' : '#fff' })
    },
    [visible, view, isDark],
  )
  const lanes = usePainted(
    (canvas) => paintTicks(canvas, { ticks, taken: selected, isDark }),
    [ticks, selected, isDark],
  )
  return (
    <>
      <canvas ref={lanes} aria-hidden className="tl-lane" />
      <canvas ref={strip} aria-hidden className="tl-strip" />
    </>
  )
}

/** Repaints when `inputs` or the size of the canvas changes. */
function usePainted(paint: (canvas: HTMLCanvasElement) => void, inputs: readonly unknown[]) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const painting = useRef(paint)
  useEffect(() => {
    painting.current = paint
    if (canvas.current) paint(canvas.current)
    // The drawing depends on nothing else.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, inputs)
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const observer = new ResizeObserver(() => painting.current(element))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return canvas
}
