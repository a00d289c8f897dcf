import type { Event } from '../../contract/events/events.ts'

/** Merges the event lists of several homes into one JSON array of at most `count` events, newest first. */
export function mergeEventLists(lists: readonly string[], count: number): string {
  const events = lists.flatMap((list) => JSON.parse(list) as Event[])
  return JSON.stringify(events.sort((a, b) => b.event_ts - a.event_ts).slice(0, count))
}
