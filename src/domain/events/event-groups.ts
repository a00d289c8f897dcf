import type { Event } from '../../../contract/events/events.ts'

/** So many of the same at least are folded: two beside each other are read as fast as a button. */
export const FOLD_MIN = 3
/** So long apart at most, ms: what comes again after that is something new. */
export const FOLD_GAP_MS = 3_600_000

/** Several events that say the same: the first of them, the newest, stands for all. */
export interface Fold {
  /** The ids of the others, in their order. */
  readonly ids: readonly string[]
  readonly isOpen: boolean
  /** One of the others was not seen yet. */
  readonly hasUnseen: boolean
}

/** A row of a list: an event, and the fold that begins with it. */
export interface FoldRow {
  readonly event: Event
  readonly fold: Fold | null
}

/** Whether two neighbours of a list say the same: same camera, same title, same words for what was found. */
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

/** The rows of a list (newest first) of which runs of the same are folded into their first, but for those of which one other is `opened`. */
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

/** The closed folds that hide one of the events. */
export function foldsOver(rows: readonly FoldRow[], visibleIds: ReadonlySet<string>): Fold[] {
  if (visibleIds.size === 0) return []
  return rows.flatMap(({ fold }) => (fold && !fold.isOpen && fold.ids.some((id) => visibleIds.has(id)) ? [fold] : []))
}
