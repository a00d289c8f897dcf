import type { Event } from '../../../contract/events/events.ts'
import { type Day, toDay, startOfDay } from '../time/local-time.ts'

/** Events of one local day, newest first. */
export interface EventDay {
  readonly day: Day
  readonly events: readonly Event[]
}

/** Merges two event lists into one, newest first. If both contain an event, keeps the version from `fresh`. */
export function mergeEvents(existing: readonly Event[], fresh: readonly Event[]): Event[] {
  const byId = new Map(existing.map((event) => [event.event_id, event]))
  for (const event of fresh) byId.set(event.event_id, event)
  return sortEvents([...byId.values()], 'desc')
}

/** Returns the events with these ids, in the order of `ids` (EVENT-26). */
export function orderByIds(ids: readonly string[], events: readonly Event[]): Event[] {
  const byId = new Map(events.map((event) => [event.event_id, event]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Groups `events` (newest first) by local day. */
export function groupByDay(events: readonly Event[]): EventDay[] {
  const days: { day: Day; events: Event[] }[] = []
  let begin = Infinity
  for (const event of events) {
    if (event.event_ts < begin) {
      begin = startOfDay(event.event_ts)
      days.push({ day: toDay(event.event_ts), events: [] })
    }
    days.at(-1)?.events.push(event)
  }
  return days
}

/** Marks the events with `ids` as reviewed or not; returns the same list if nothing changes. */
export function markReviewed(events: readonly Event[], ids: readonly string[], reviewed = true): readonly Event[] {
  const idSet = new Set(ids)
  const changes = (event: Event) => idSet.has(event.event_id) && event.reviewed !== reviewed
  if (!events.some(changes)) return events
  return events.map((event) => (changes(event) ? { ...event, reviewed } : event))
}

/** Removes the events with `ids`; returns the same list if nothing changes. */
export function removeEvents(events: readonly Event[], ids: readonly string[]): readonly Event[] {
  const removed = new Set(ids)
  const remaining = events.filter((event) => !removed.has(event.event_id))
  return remaining.length === events.length ? events : remaining
}

export type SortOrder = 'asc' | 'desc'

/**
 * Returns a copy of `events` sorted by `event_ts`; the sort is stable.
 * @throws Error in the exact words of EVENT-18 to 20 unless `events` is an array of objects with a numeric `event_ts`
 * and the order is valid.
 */
export function sortEvents<T extends { readonly event_ts: number }>(events: readonly T[], order: SortOrder): T[] {
  if (!Array.isArray(events)) throw new Error('Input must be an array.')
  if (!events.every(hasTimestamp)) throw new Error('Array must contain only numbers (timestamps).')
  if (!isSortOrder(order)) throw new Error('Order must be "asc" or "desc".')
  const sign = order === 'asc' ? 1 : -1
  return events.toSorted((a, b) => sign * (a.event_ts - b.event_ts))
}

function isSortOrder(order: unknown): order is SortOrder {
  return order === 'asc' || order === 'desc'
}

function hasTimestamp(item: unknown): boolean {
  if (typeof item !== 'object' || item === null || !('event_ts' in item)) return false
  return typeof item.event_ts === 'number' && !Number.isNaN(item.event_ts)
}
