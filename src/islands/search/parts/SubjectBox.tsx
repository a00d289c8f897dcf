import type { SearchMatch } from '../../../../contract/search/search-calls.ts'
import { COORDINATE_MAX } from '../../../../contract/events/detections.ts'

/** Size of a loaded picture, px. */
export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** Distance between the subject and its box, and the smallest distance to the edge, as a share of the picture's width. */
const PADDING_SHARE = 0.012

interface SubjectBoxProps {
  readonly subject: NonNullable<SearchMatch['subject']>
  readonly size: PictureSize
}

/**
 * Outline of the matching object. `slice` crops like `object-fit: cover`, so the box stays on its object. The
 * explanation beside the picture names the object, so screen readers skip the box.
 */
export function SubjectBox({ subject: [x, y, w, h], size: { width, height } }: SubjectBoxProps) {
  const padding = width * PADDING_SHARE
  const toRange = (from: number, length: number, full: number) => {
    const start = Math.max(padding, (from / COORDINATE_MAX) * full - padding)
    const end = Math.min(full - padding, ((from + length) / COORDINATE_MAX) * full + padding)
    return { start, length: Math.max(0, end - start) }
  }
  const [across, down] = [toRange(x, w, width), toRange(y, h, height)]
  const rect = { x: across.start, y: down.start, width: across.length, height: down.length, rx: padding * 1.5 }
  return (
    <svg className="search-subject" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="xMidYMid slice" aria-hidden>
      <rect {...rect} />
      <rect {...rect} />
    </svg>
  )
}
