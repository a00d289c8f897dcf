import type { Event } from '../../../contract/events/events.ts'
import { clock } from '../time/clock-time.ts'
import type { Span } from '../time/date-range.ts'

/** The hour by the browser's clock that holds an instant, ms UTC. */
export function hourSpan(time: number): Span {
  const date = new Date(time)
  // Not by `setMinutes`, which takes an hour that comes twice for its first time.
  const begin = time - date.getMinutes() * 60_000 - date.getSeconds() * 1000 - date.getMilliseconds()
  return { begin, end: begin + 3_600_000 }
}

/** `14:00 – 15:00` */
export const hourSpanLabel = ({ begin, end }: Span): string => `${clock(begin)} – ${clock(end)}`

/** What the camera of an event saw in its hour, oldest first, that event with it. */
export function eventsOfHour(event: Event, events: readonly Event[]): Event[] {
  const { begin, end } = hourSpan(event.event_ts)
  const others = events.filter(
    ({ device_id, event_id, event_ts }) =>
      device_id === event.device_id && event_id !== event.event_id && event_ts >= begin && event_ts < end,
  )
  return [...others, event].sort((a, b) => a.event_ts - b.event_ts)
}
