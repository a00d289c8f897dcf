import type { Event } from '../../../contract/events/events.ts'
import { formatClock } from '../time/clock-time.ts'
import { formatCount } from './counts.ts'
import { hourLabel } from '../time/date-range.ts'

/** Formats an hour of the day as a range: `07:00 – 08:00`. */
export const hourSpanLabel = (hour: number): string => `${hourLabel(hour)} – ${hourLabel((hour + 1) % 24)}`

export const eventCountLabel = (count: number): string => formatCount(count, 'event')

/** Accessible name of an event: `Person with a box, Driveway, 09:41`. */
export function eventName(event: Pick<Event, 'title' | 'event_ts'>, camera: string): string {
  return [event.title, camera, formatClock(event.event_ts)].filter(Boolean).join(', ')
}
