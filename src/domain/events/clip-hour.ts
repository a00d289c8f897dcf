import type { Event } from '../../../contract/events/events.ts'
import { formatClock } from '../time/clock-time.ts'
import type { Span } from '../time/date-range.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

/** Returns the local clock hour that contains an instant (ms UTC). */
export function clockHourSpan(time: number): Span {
  const date = new Date(time)
  // Avoids `setMinutes`, which maps a repeated hour (end of daylight saving time) to its first occurrence.
  const begin = time - date.getMinutes() * 60_000 - date.getSeconds() * 1000 - date.getMilliseconds()
  return { begin, end: begin + HOUR_MS }
}

/** Formats an hour as `14:00 – 15:00`. */
export const formatClipHour = ({ begin, end }: Span): string => `${formatClock(begin)} – ${formatClock(end)}`

/** Returns the events of the same camera in the same hour, oldest first, including `event`. */
export function listEventsOfHour(event: Event, events: readonly Event[]): Event[] {
  const { begin, end } = clockHourSpan(event.event_ts)
  const others = events.filter(
    ({ device_id, event_id, event_ts }) =>
      device_id === event.device_id && event_id !== event.event_id && event_ts >= begin && event_ts < end,
  )
  return [...others, event].sort((a, b) => a.event_ts - b.event_ts)
}
