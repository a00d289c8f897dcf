import type { Span } from '../../../domain/time/date-range.ts'
import { ticks } from '../../../domain/events/timeline-viewport.ts'

/** Space that a label needs to its right; one label per `PITCH` CSS pixels provides it. */
const LABEL = 66
const PITCH = 80

/** Round hours or days, above or below strips of `width` CSS pixels. */
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
