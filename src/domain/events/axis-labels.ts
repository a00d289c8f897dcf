import type { Span } from '../time/date-range.ts'
import { createTimeLabels } from './timeline-viewport.ts'

/** Minimum distance between two labels, CSS pixels. */
const LABEL_PITCH_PX = 80
/** Average width of a character of a label or flag, and the padding of a flag, CSS pixels. */
const CHARACTER_PX = 7.4
const FLAG_PADDING_PX = 14

/** Flag of the playhead, which stands in the row of the labels and stays within the strip. */
export interface AxisFlag {
  readonly at: number
  readonly label: string
}

export interface AxisLabel {
  readonly at: number
  readonly label: string
  /** Left edge, CSS pixels; null for a right-aligned label at the end. */
  readonly left: number | null
}

const getTextWidth = (text: string): number => text.length * CHARACTER_PX

/**
 * Returns the labels that fit on an axis of `width` CSS pixels and that `flag` does not cover, but no more than
 * `maxLabels`.
 */
export function layOutAxisLabels(
  view: Span,
  width: number,
  flag: AxisFlag | null,
  maxLabels = Math.floor(width / LABEL_PITCH_PX),
): AxisLabel[] {
  const { begin, end } = view
  const getShare = (at: number) => (at - begin) / (end - begin)
  const flagWidth = flag ? getTextWidth(flag.label) + FLAG_PADDING_PX : 0
  const flagLeft = flag ? getShare(flag.at) * (width - flagWidth) : 0
  return createTimeLabels(view, Math.max(1, Math.min(maxLabels, Math.floor(width / LABEL_PITCH_PX)))).flatMap(
    ({ at, label }) => {
      const textWidth = getTextWidth(label)
      const left = at === end ? width - textWidth : getShare(at) * width
      if (left + textWidth > width) return []
      if (flag && left < flagLeft + flagWidth && left + textWidth > flagLeft) return []
      return { at, label, left: at === end ? null : left }
    },
  )
}
