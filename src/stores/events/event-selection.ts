import { atom, computed } from 'nanostores'
import type { Event } from '../../../contract/events/events.ts'
import { $filteredEvents } from './events.ts'

/** Selected events, including those that the filter now hides. */
export const $selectedIds = atom<ReadonlySet<string>>(new Set())
/** Last selected event: a selection with Shift extends from there. */
let anchor: string | null = null

/** Selected events that the list shows, in its order. */
export const $selection = computed([$selectedIds, $filteredEvents], (ids, visible): readonly Event[] =>
  ids.size === 0 ? [] : visible.filter((event) => ids.has(event.event_id)),
)

/** Toggles the selection of an event. With `upTo`, selects all events from the last toggled one to this one. */
export function toggleSelected(eventId: string, upTo = false): void {
  const ids = new Set($selectedIds.get())
  const reach = upTo ? between(anchor, eventId) : []
  if (reach.length > 0) for (const id of reach) ids.add(id)
  else if (!ids.delete(eventId)) ids.add(eventId)
  anchor = eventId
  $selectedIds.set(ids)
}

export function selectAll(): void {
  $selectedIds.set(new Set($filteredEvents.get().map(({ event_id }) => event_id)))
}

export function clearSelection(): void {
  anchor = null
  $selectedIds.set(new Set())
}

function between(from: string | null, to: string): string[] {
  const ids = $filteredEvents.get().map(({ event_id }) => event_id)
  const [a, b] = [from === null ? -1 : ids.indexOf(from), ids.indexOf(to)]
  return a < 0 || b < 0 ? [] : ids.slice(Math.min(a, b), Math.max(a, b) + 1)
}

/** Events of the last deletion, which can be undone until `until` (ms UTC). */
export interface Deleted {
  readonly events: readonly Event[]
  readonly until: number
}
export const $deleted = atom<Deleted | null>(null)
