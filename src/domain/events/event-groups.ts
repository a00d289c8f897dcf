import type { Event } from '../../../contract/events/events.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

/** Minimum number of similar events in a group: two rows are read as fast as a button. */
export const FOLD_MIN = 3
/** Maximum gap between similar events, ms; after a longer gap a new group starts. */
export const FOLD_GAP_MS = HOUR_MS

/** Group of similar events, represented by its first and newest one. */
export interface Fold {
  readonly ids: readonly string[]
  readonly isOpen: boolean
  /** True if an event of the group, other than the first, is unseen. */
  readonly hasUnseen: boolean
}

export interface FoldRow {
  readonly event: Event
  readonly fold: Fold | null
}

/** Returns true if two adjacent events are similar: same camera, title and values, at most `FOLD_GAP_MS` apart. */
function isAlike(a: Event | undefined, b: Event | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.device_id === b.device_id &&
    a.title === b.title &&
    Math.abs(a.event_ts - b.event_ts) <= FOLD_GAP_MS &&
    a.event_values.join() === b.event_values.join()
  )
}

/**
 * Returns the rows of a list (newest first), with each run of similar events collapsed into its first event. A group
 * stays open if `opened` contains one of the events below the first.
 */
export function groupSimilarEvents(events: readonly Event[], opened: ReadonlySet<string>): FoldRow[] {
  const rows: FoldRow[] = []
  for (let from = 0; from < events.length;) {
    let to = from + 1
    while (isAlike(events[to - 1], events[to])) to += 1
    rows.push(...toFoldRows(events.slice(from, to), opened))
    from = to
  }
  return rows
}

function toFoldRows(run: readonly Event[], opened: ReadonlySet<string>): FoldRow[] {
  const plain = run.map((event): FoldRow => ({ event, fold: null }))
  const [first, ...others] = run
  if (!first || run.length < FOLD_MIN) return plain
  const ids = others.map(({ event_id }) => event_id)
  const fold = {
    ids,
    isOpen: ids.some((id) => opened.has(id)),
    hasUnseen: others.some(({ reviewed }) => !reviewed),
  }
  return fold.isOpen ? [{ event: first, fold }, ...plain.slice(1)] : [{ event: first, fold }]
}

/** Returns the closed groups that hide one of the events in `visibleIds`. */
export function foldsOver(rows: readonly FoldRow[], visibleIds: ReadonlySet<string>): Fold[] {
  if (visibleIds.size === 0) return []
  return rows.flatMap(({ fold }) => (fold && !fold.isOpen && fold.ids.some((id) => visibleIds.has(id)) ? [fold] : []))
}
