import { atom, computed } from 'nanostores'
import type { Event } from '../../../contract/events/events.ts'
import { $filteredEvents } from './events.ts'

/** Ids of the selected events, including those that the filter now hides. */
export const $selectedIds = atom<ReadonlySet<string>>(new Set())
/** Id of the event that was toggled last. A selection with Shift starts at this event. */
let lastToggledId: string | null = null

/** Selected events that the list shows, in list order. */
export const $selectedEvents = computed([$selectedIds, $filteredEvents], (ids, visible): readonly Event[] =>
  ids.size === 0 ? [] : visible.filter((event) => ids.has(event.event_id)),
)

/**
 * Toggles the selection of an event. With `extendsSelection`, instead selects all events from the event toggled last to
 * this event, if the list shows both.
 */
export function toggleEventSelection(eventId: string, extendsSelection = false): void {
  const ids = new Set($selectedIds.get())
  const rangeIds = extendsSelection ? listIdsBetween(lastToggledId, eventId) : []
  if (rangeIds.length > 0) for (const id of rangeIds) ids.add(id)
  else if (!ids.delete(eventId)) ids.add(eventId)
  lastToggledId = eventId
  $selectedIds.set(ids)
}

export function selectAllEvents(): void {
  $selectedIds.set(new Set($filteredEvents.get().map(({ event_id }) => event_id)))
}

export function selectEvents(events: readonly Event[]): void {
  $selectedIds.set(new Set([...$selectedIds.get(), ...events.map(({ event_id }) => event_id)]))
}

export function clearEventSelection(): void {
  lastToggledId = null
  $selectedIds.set(new Set())
}

function listIdsBetween(from: string | null, to: string): string[] {
  const ids = $filteredEvents.get().map(({ event_id }) => event_id)
  const [a, b] = [from === null ? -1 : ids.indexOf(from), ids.indexOf(to)]
  return a < 0 || b < 0 ? [] : ids.slice(Math.min(a, b), Math.max(a, b) + 1)
}

/** Events of the last deletion. The user can undo the deletion until `until` (ms UTC). */
export interface DeletedEvents {
  readonly events: readonly Event[]
  readonly until: number
}
export const $deletedEvents = atom<DeletedEvents | null>(null)
