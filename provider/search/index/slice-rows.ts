import type { SqlStorage } from '@cloudflare/workers-types'
import type { DocumentId, DocumentRange } from '../../events/document-id-rows.ts'
import { MAX_DOCUMENT_TIME_MS } from '../../events/index-columns.ts'
import {
  buildVisibleEventsSql,
  type EventVisibility,
  serializeVisibility,
} from '../../billing/plans/event-visibility.ts'
import {
  documentIdSql,
  type DocumentOffset,
  documentOffsetSql,
  getOffsetTime,
  type OffsetRange,
  parseOffsets,
} from './document-offsets.ts'
import type { SearchScope } from './search-rows.ts'
import type { TextRow } from '../ranking/text-scoring.ts'

export type EventRow = { event_id: string; event_ts: number; doc: DocumentOffset }
/** Row whose document id is valid in any range. */
export type SampleRow = { event_id: string; doc: DocumentId }

/**
 * SQL condition with parameters 2 to 5. Repeats the filters exactly, because the full-text index has cameras and tags
 * only as words. The unary plus keeps SQLite from using an index on `event_ts`.
 */
const scopeFilterSql = (
  view: EventVisibility,
) => `${buildVisibleEventsSql(view, '?4')} AND +event_ts BETWEEN ?2 AND ?3 AND gone IS NULL
  AND (?5 = '[]' OR EXISTS (SELECT 1 FROM json_each(?5) AS asked JOIN json_each(events.tags) AS has ON has.value = asked.value))`
const toFilterParameters = ({ start, end, view, tags }: SearchScope) =>
  [start, end, serializeVisibility(view), JSON.stringify(tags)] as const

/**
 * Returns true if every indexed event in the range of the scope is visible and has a requested tag. The time of such an
 * event follows from its document id, so a slice need not read the event.
 */
const includesAllEvents = ({ view, narrow, tags, start, end }: SearchScope): boolean =>
  !narrow && tags.length === 0 && end < MAX_DOCUMENT_TIME_MS && view.every(({ since, free }) => since <= start && !free)

/** Event with the bit mask of its concepts. */
export interface MaskedDocument {
  readonly doc: DocumentOffset
  readonly mask: number
}

export interface SliceRow extends MaskedDocument {
  readonly event_ts: number
}

/** Returns those of the indexed events that are in the scope, with their times. Keeps the order. */
export function listVisibleDocuments(
  sql: SqlStorage,
  docs: readonly MaskedDocument[],
  scope: SearchScope,
  range: OffsetRange,
): SliceRow[] {
  if (docs.length === 0) return []
  if (includesAllEvents(scope)) return docs.map(({ doc, mask }) => ({ doc, event_ts: getOffsetTime(range, doc), mask }))
  return sql
    .exec<{ n: number; event_ts: number }>(
      `SELECT these.key AS n, event_ts FROM json_each(?1) AS these CROSS JOIN events
         ON doc = ${documentIdSql('?6', 'these.value')} WHERE ${scopeFilterSql(scope.view)}`,
      JSON.stringify(docs.map(({ doc }) => doc)),
      ...toFilterParameters(scope),
      range.baseMs,
    )
    .toArray()
    .flatMap(({ n, event_ts }) => {
      const entry = docs[n]
      return entry ? [{ doc: entry.doc, event_ts, mask: entry.mask }] : []
    })
}

/** Returns for each index query its matches in the slice, newest first. The index may scan newer events for phrases. */
export function listSliceMatches(
  sql: SqlStorage,
  matches: readonly string[],
  { baseMs, from, before }: OffsetRange,
): (readonly DocumentOffset[])[] {
  const toSelect = (_: string, i: number) =>
    `(SELECT group_concat(${documentOffsetSql('?1', 'rowid')}) FROM search_index WHERE search_index MATCH ?${i + 4}
       AND rowid >= ${documentIdSql('?1', '?2')} AND rowid < ${documentIdSql('?1', '?3')}) AS docs${i}`
  if (matches.length === 0) return []
  const row = sql
    .exec<Record<string, string | null>>(`SELECT ${matches.map(toSelect).join(', ')}`, baseMs, from, before, ...matches)
    .one()
  return matches.map((_, i) => parseOffsets(row[`docs${i}`] ?? null).reverse())
}

const TEXT_COLUMNS = 'title, moments, labels, tags, device_id, counts'
/** Columns of an `EventRow` with its texts. `base`: SQL parameter for the time of offset 0. */
const eventColumnsSql = (base: string) =>
  `${documentOffsetSql(base, 'doc')} AS doc, event_id, event_ts, ${TEXT_COLUMNS}`

export function listTextsByDoc(
  sql: SqlStorage,
  docs: readonly DocumentOffset[],
  scope: SearchScope,
  { baseMs }: OffsetRange,
): (EventRow & TextRow)[] {
  return sql
    .exec<EventRow & TextRow>(
      `SELECT ${eventColumnsSql('?6')} FROM json_each(?1) AS these CROSS JOIN events
         ON doc = ${documentIdSql('?6', 'these.value')} WHERE ${scopeFilterSql(scope.view)}`,
      JSON.stringify(docs),
      ...toFilterParameters(scope),
      baseMs,
    )
    .toArray()
}

/**
 * Newest event in a range, and the number of rows that this object has changed since it started. While both stay the
 * same, so do the newest texts.
 */
export type NewestState = { changes: number; newest: DocumentId | null }

export function readNewestState(sql: SqlStorage, { from, before }: DocumentRange): NewestState {
  return sql
    .exec<NewestState>(
      `SELECT total_changes() AS changes, (SELECT CAST(doc AS TEXT) FROM events
         WHERE doc >= CAST(?1 AS INTEGER) AND doc < CAST(?2 AS INTEGER) ORDER BY doc DESC LIMIT 1) AS newest`,
      from,
      before,
    )
    .one()
}

export function listNewestTexts(
  sql: SqlStorage,
  { from, before }: DocumentRange,
  count: number,
): (SampleRow & TextRow)[] {
  return sql
    .exec<SampleRow & TextRow>(
      `SELECT CAST(doc AS TEXT) AS doc, event_id, ${TEXT_COLUMNS} FROM (
         SELECT * FROM events WHERE doc >= CAST(?1 AS INTEGER) AND doc < CAST(?2 AS INTEGER)
         ORDER BY doc DESC LIMIT ?3) AS newest WHERE gone IS NULL`,
      from,
      before,
      count,
    )
    .toArray()
}

export function listNewestVisibleTexts(
  sql: SqlStorage,
  { baseMs, from, before }: OffsetRange,
  count: number,
  scope: SearchScope,
): (EventRow & TextRow)[] {
  return sql
    .exec<EventRow & TextRow>(
      `SELECT ${eventColumnsSql('?8')} FROM events WHERE doc >= ${documentIdSql('?8', '?1')}
         AND doc < ${documentIdSql('?8', '?6')} AND ${scopeFilterSql(scope.view)} ORDER BY doc DESC LIMIT ?7`,
      from,
      ...toFilterParameters(scope),
      before,
      count,
      baseMs,
    )
    .toArray()
}
