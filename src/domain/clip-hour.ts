import type { Event } from '../../contract/events.ts'
import { clock } from './clock.ts'
import type { Span } from './date-range.ts'

/** The hour by the browser's clock that holds an instant, ms UTC. */
export function hourOf(time: number): Span {
  const begin = new Date(time).setMinutes(0, 0, 0)
  return { begin, end: begin + 3_600_000 }
}

/** `14:00 – 15:00` */
export const hourSpanLabel = ({ begin, end }: Span): string => `${clock(begin)} – ${clock(end)}`

/** What the camera of an event saw in its hour, oldest first, that event with it. */
export function eventsOfHour(event: Event, events: readonly Event[]): Event[] {
  const { begin, end } = hourOf(event.event_ts)
  const others = events.filter(
    ({ device_id, event_id, event_ts }) =>
      device_id === event.device_id && event_id !== event.event_id && event_ts >= begin && event_ts < end,
  )
  return [...others, event].sort((a, b) => a.event_ts - b.event_ts)
}
