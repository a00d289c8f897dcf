import type { Event } from '../../../contract/events/events.ts'
import { formatClock } from '../time/clock-time.ts'
import { formatCount } from './counts.ts'
import { wholeHourLabel } from '../time/hour-label.ts'

/** Formats an hour of the day as a range: `7 AM – 8 AM` or `07:00 – 08:00`. */
export const hourSpanLabel = (hour: number): string => `${wholeHourLabel(hour)} – ${wholeHourLabel((hour + 1) % 24)}`

export const eventCountLabel = (count: number): string => formatCount(count, 'event')

/** Accessible name of an event: `Person with a box, Driveway, 9:41 AM`. */
export function eventName(event: Pick<Event, 'title' | 'event_ts'>, camera: string): string {
  return [event.title, camera, formatClock(event.event_ts)].filter(Boolean).join(', ')
}
