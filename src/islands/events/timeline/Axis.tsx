import type { Span } from '../../../domain/time/date-range.ts'
import { ticks } from '../../../domain/events/timeline-viewport.ts'

/** Width of the space that a label needs to its right, in CSS pixels. One label per `PITCH` pixels leaves enough. */
const LABEL = 66
const PITCH = 80

/** Labels of round hours or days, above or below strips that are `width` CSS pixels wide. */
export function Axis({ view, width }: { view: Span; width: number }) {
  const { begin, end } = view
  const x = (at: number) => ((at - begin) / (end - begin)) * width
  return (
    <div aria-hidden className="tl-axis">
      {ticks(view, Math.max(1, Math.floor(width / PITCH)))
        .filter(({ at }) => width - x(at) >= LABEL)
        .map(({ at, label }) => (
          <span key={at} style={{ left: x(at) }}>
            {label}
          </span>
        ))}
    </div>
  )
}
