import type { Event } from '../../../contract/events/events.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

/** Minimum number of similar events in a group. Two events stay ungrouped: a button would save only one row. */
export const GROUP_MIN_EVENTS = 3
/** Maximum gap between similar events, ms; after a longer gap a new group starts. */
export const GROUP_MAX_GAP_MS = HOUR_MS

/** Group of similar events. The list shows the newest event for the whole group; `ids` are the ids of the others. */
export interface EventGroup {
  readonly ids: readonly string[]
  readonly isOpen: boolean
  /** True if an event in `ids` is not reviewed. */
  readonly hasUnseen: boolean
}

export interface EventRow {
  readonly event: Event
  readonly group: EventGroup | null
}

function areSimilar(a: Event | undefined, b: Event | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.device_id === b.device_id &&
    a.title === b.title &&
    Math.abs(a.event_ts - b.event_ts) <= GROUP_MAX_GAP_MS &&
    a.event_values.join() === b.event_values.join()
  )
}

/**
 * Returns the rows of a list (newest first), with each run of at least `GROUP_MIN_EVENTS` similar events collapsed into
 * its first event. A group stays open if `openedEventIds` contains the id of an event below the first.
 */
export function groupSimilarEvents(events: readonly Event[], openedEventIds: ReadonlySet<string>): EventRow[] {
  const rows: EventRow[] = []
  for (let from = 0; from < events.length;) {
    let to = from + 1
    while (areSimilar(events[to - 1], events[to])) to += 1
    rows.push(...toEventRows(events.slice(from, to), openedEventIds))
    from = to
  }
  return rows
}

function toEventRows(run: readonly Event[], openedEventIds: ReadonlySet<string>): EventRow[] {
  const ungroupedRows = run.map((event): EventRow => ({ event, group: null }))
  const [first, ...others] = run
  if (!first || run.length < GROUP_MIN_EVENTS) return ungroupedRows
  const ids = others.map(({ event_id }) => event_id)
  const group = {
    ids,
    isOpen: ids.some((id) => openedEventIds.has(id)),
    hasUnseen: others.some(({ reviewed }) => !reviewed),
  }
  return group.isOpen ? [{ event: first, group }, ...ungroupedRows.slice(1)] : [{ event: first, group }]
}

/** Returns the closed groups that hide one of the events in `visibleIds`. */
export function findGroupsHiding(rows: readonly EventRow[], visibleIds: ReadonlySet<string>): EventGroup[] {
  if (visibleIds.size === 0) return []
  return rows.flatMap(({ group }) =>
    group && !group.isOpen && group.ids.some((id) => visibleIds.has(id)) ? [group] : [],
  )
}
