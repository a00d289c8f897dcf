import { memo } from 'react'
import { type AxisFlag, layOutAxisLabels } from '../domain/events/axis-labels.ts'
import type { Span } from '../domain/time/date-range.ts'

interface AxisProps {
  readonly view: Span
  /** CSS pixels. */
  readonly width: number
  /** Hides the labels that it covers. */
  readonly flag?: AxisFlag | null
  /** Label of this time, ms UTC, is bold. */
  readonly boldAt?: number | null
  readonly maxLabels?: number
}

/** Labels of round times or days, for strips that are `width` CSS pixels wide. A label at the end is right-aligned. */
export const Axis = memo(function Axis({ view, width, flag = null, boldAt = null, maxLabels }: AxisProps) {
  return (
    <div aria-hidden className="tl-axis">
      {layOutAxisLabels(view, width, flag, maxLabels).map(({ at, label, left }) => (
        <span key={at} data-bold={at === boldAt || undefined} style={left === null ? { right: 0 } : { left }}>
          {label}
        </span>
      ))}
    </div>
  )
})
