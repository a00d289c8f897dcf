import type { Event } from '../../../contract/events/events.ts'
import type { Visit } from '../events/visits.ts'
import { formatClock, formatClockSpan } from '../time/clock-time.ts'
import { formatClipCount, formatCount } from './counts.ts'

export const eventCountLabel = (count: number): string => formatCount(count, 'event')

export const formatVisitCount = (count: number): string => formatCount(count, 'visit')

/**
 * Accessible name of an event: `Person with a box, Driveway, 9:41 AM`, or of a visit: `Person and vehicle, Driveway,
 * 9:41 – 9:43 AM, 9 clips`.
 */
export function eventName(
  { title, event_ts }: Pick<Event, 'title' | 'event_ts'>,
  camera: string,
  visit?: Visit | null,
): string {
  const time = visit
    ? [formatClockSpan(visit.begin, visit.end), formatClipCount(visit.clips.length)]
    : [formatClock(event_ts)]
  return [title, camera, ...time].filter(Boolean).join(', ')
}
