import type { Event } from '../../contract/events/events.ts'

/** Merges the lists of several homes into one JSON array: newest first, at most `count` events. */
export function mergeLists(lists: readonly string[], count: number): string {
  const events = lists.flatMap((list) => JSON.parse(list) as Event[])
  return JSON.stringify(events.sort((a, b) => b.event_ts - a.event_ts).slice(0, count))
}
