import type { Event } from '../../../contract/events/events.ts'
import { formatClock } from '../time/clock-time.ts'
import { formatCount } from './counts.ts'

export const eventCountLabel = (count: number): string => formatCount(count, 'event')

/** Accessible name of an event: `Person with a box, Driveway, 9:41 AM`. */
export function eventName(event: Pick<Event, 'title' | 'event_ts'>, camera: string): string {
  return [event.title, camera, formatClock(event.event_ts)].filter(Boolean).join(', ')
}
