import type { Span } from '../domain/time/date-range.ts'
import { createTimeLabels } from '../domain/events/timeline-viewport.ts'

/**
 * Minimum space from a label's left edge to the end of the axis, CSS pixels. `LABEL_PITCH_PX`: minimum distance between
 * two labels.
 */
const LABEL_WIDTH_PX = 66
const LABEL_PITCH_PX = 80

/** Labels of round times or days, for strips that are `width` CSS pixels wide. A label at the end is right-aligned. */
export function Axis({ view, width }: { view: Span; width: number }) {
  const { begin, end } = view
  const x = (at: number) => ((at - begin) / (end - begin)) * width
  return (
    <div aria-hidden className="tl-axis">
      {createTimeLabels(view, Math.max(1, Math.floor(width / LABEL_PITCH_PX)))
        .filter(({ at }) => at === end || width - x(at) >= LABEL_WIDTH_PX)
        .map(({ at, label }) => (
          <span key={at} style={at === end ? { right: 0 } : { left: x(at) }}>
            {label}
          </span>
        ))}
    </div>
  )
}
