import type { Event } from '../../contract/events.ts'
import { clock } from './clock.ts'

/** `07:00 – 08:00` of an hour of the day. */
export function hourSpanLabel(hour: number): string {
  const clock = (one: number) => `${String(one).padStart(2, '0')}:00`
  return `${clock(hour)} – ${clock((hour + 1) % 24)}`
}

/** `8 more like this`, of what a fold hides. */
export const moreLikeThis = (count: number): string => `${count.toLocaleString('en')} more like this`

export function countLabel(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'event' : 'events'}`
}

/** What a screen reader says of an event: `Person with a box, Driveway, 09:41`. */
export function eventName(event: Pick<Event, 'title' | 'event_ts'>, camera: string): string {
  return [event.title, camera, clock(event.event_ts)].filter(Boolean).join(', ')
}
