import { atom, computed } from 'nanostores'
import type { Event } from '../../../contract/events/events.ts'
import { $filteredEvents } from './events.ts'

/** Ids of the selected events, including those that the filter now hides. */
export const $selectedIds = atom<ReadonlySet<string>>(new Set())
/** First of the events that were toggled last. A selection with Shift starts at this event. */
let lastToggledId: string | null = null

/** Selected events that the list shows, in list order. */
export const $selectedEvents = computed([$selectedIds, $filteredEvents], (ids, visible): readonly Event[] =>
  ids.size === 0 ? [] : visible.filter((event) => ids.has(event.event_id)),
)

/**
 * Toggles the selection of a row's events: selects all of them, or deselects them if all are selected. With
 * `extendsSelection`, also selects all events from the row toggled last to this row, if the list shows both.
 */
export function toggleEventSelection(rowIds: readonly string[], extendsSelection = false): void {
  const ids = new Set($selectedIds.get())
  const [firstId = ''] = rowIds
  const rangeIds = extendsSelection ? listIdsBetween(lastToggledId, firstId) : []
  const isDeselecting = rangeIds.length === 0 && rowIds.every((id) => ids.has(id))
  for (const id of [...rangeIds, ...rowIds]) {
    if (isDeselecting) ids.delete(id)
    else ids.add(id)
  }
  lastToggledId = firstId
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
