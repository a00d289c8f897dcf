import type { Span } from '../../../domain/date-range.ts'
import { ticks } from '../../../domain/timeline-view.ts'

/** About so many labels have room, and each needs this share of the axis to its right. */
const LABELS = { phone: { most: 4, room: 0.15 }, wide: { most: 9, room: 0.05 } }

/** Round hours or days below or above the strips. */
export function Axis({ view, isPhone }: { view: Span; isPhone: boolean }) {
  const { begin, end } = view
  const { most, room } = LABELS[isPhone ? 'phone' : 'wide']
  return (
    <div className="tl-axis">
      {ticks(view, most)
        .filter(({ at }) => (end - at) / (end - begin) > room)
        .map(({ at, label }) => (
          <span key={at} style={{ left: `${((at - begin) / (end - begin)) * 100}%` }}>
            {label}
          </span>
        ))}
    </div>
  )
}
