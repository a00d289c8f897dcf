import type { Event } from '../../../contract/events/events.ts'
import { clock } from '../time/clock-time.ts'
import { inFigures } from './counts.ts'
import { hourLabel } from '../time/date-range.ts'

/** `07:00 – 08:00` for an hour of the day. */
export const hourSpanLabel = (hour: number): string => `${hourLabel(hour)} – ${hourLabel((hour + 1) % 24)}`

export function countLabel(count: number): string {
  return `${inFigures(count)} ${count === 1 ? 'event' : 'events'}`
}

/** Accessible name of an event: `Person with a box, Driveway, 09:41`. */
export function eventName(event: Pick<Event, 'title' | 'event_ts'>, camera: string): string {
  return [event.title, camera, clock(event.event_ts)].filter(Boolean).join(', ')
}
