import type { SqlStorage } from '@cloudflare/workers-types'
import type { DocumentId, DocumentRange } from '../../events/document-id-rows.ts'
import { documentTimeSql, MAX_DOCUMENT_TIME_MS } from '../../events/index-columns.ts'
import {
  buildVisibleEventsSql,
  type EventVisibility,
  serializeVisibility,
} from '../../billing/plans/event-visibility.ts'
import type { MatchRequirement } from '../ranking/match-weights.ts'
import type { SearchScope } from './search-rows.ts'
import type { TextRow } from '../ranking/text-scoring.ts'

export type EventRow = { event_id: string; event_ts: number; doc: DocumentId }

/** Maximum number of SELECTs per compound statement: one less than SQLite in a Durable Object accepts. */
const MAX_UNION_SELECTS = 4

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

/** Index query of a slice. `must`: true to skip every event that does not match this query. */
export interface SliceQuery {
  readonly match: string
  readonly bit: number
  /** True if a match counts toward `least`, the minimum number of concepts in the requirement. */
  readonly asked: boolean
  readonly must: boolean
}

export type SliceRow = { readonly doc: DocumentId; readonly event_ts: number; readonly mask: number }

/**
 * Returns true if every indexed event in the range of the scope is visible and has a requested tag. The time of such an
 * event follows from its document id, so a slice need not read the event.
 */
const includesAllEvents = ({ view, narrow, tags, start, end }: SearchScope): boolean =>
  !narrow && tags.length === 0 && end < MAX_DOCUMENT_TIME_MS && view.every(({ since, free }) => since <= start && !free)

/**
 * Returns the visible events of a slice that match. `from` is inclusive, `before` is exclusive. `read`: number of index
 * entries that were read.
 */
export function readSlice(
  sql: SqlStorage,
  queries: readonly SliceQuery[],
  { from, before }: DocumentRange,
  { scope, wanted: requirement, limit }: { scope: SearchScope; wanted: MatchRequirement; limit: number },
): { rows: SliceRow[]; read: number } {
  const FIRST_MATCH_PARAMETER = 11
  const toSelect = ({ bit, asked: isCounted, must }: SliceQuery, i: number) =>
    `SELECT rowid AS found, ${bit} AS bit, ${isCounted ? 1 : 0} AS asked, ${must ? 1 : 0} AS must FROM search_index
     WHERE search_index MATCH ?${FIRST_MATCH_PARAMETER + i} AND rowid >= CAST(?1 AS INTEGER) AND rowid < CAST(?6 AS INTEGER)`
  const visibleSql = includesAllEvents(scope)
    ? `SELECT CAST(found AS TEXT) AS doc, ${documentTimeSql('found')} AS event_ts, mask FROM matching`
    : `SELECT CAST(doc AS TEXT) AS doc, event_ts, mask FROM matching CROSS JOIN events ON doc = found WHERE ${scopeFilterSql(scope.view)}`
  const rows = sql
    .exec<{ read: number; doc: DocumentId | null; event_ts: number; mask: number }>(
      `WITH hit AS MATERIALIZED (SELECT found, sum(bit) AS mask, sum(asked) AS asked, sum(must) AS must, count(*) AS n
         FROM (${unionAllSql(queries.map(toSelect))}) GROUP BY found),
       matching AS (SELECT * FROM hit WHERE asked >= ?7 AND must = ?8 AND mask & ?10 = ?10 ORDER BY asked DESC, found DESC LIMIT ?9)
       SELECT read, doc, event_ts, mask FROM (SELECT coalesce(sum(n), 0) AS read FROM hit) LEFT JOIN (${visibleSql}) ON true`,
      from,
      ...toFilterParameters(scope),
      before,
      requirement.least,
      queries.filter(({ must }) => must).length,
      limit,
      requirement.must,
      ...queries.map(({ match }) => match),
    )
    .toArray()
  return {
    rows: rows.flatMap(({ doc, event_ts, mask }) => (doc === null ? [] : [{ doc, event_ts, mask }])),
    read: rows[0]?.read ?? 0,
  }
}

function unionAllSql(selects: readonly string[]): string {
  if (selects.length <= MAX_UNION_SELECTS) return selects.join(' UNION ALL ')
  const size = Math.ceil(selects.length / MAX_UNION_SELECTS)
  const groups = Array.from({ length: Math.ceil(selects.length / size) }, (_, n) =>
    selects.slice(n * size, (n + 1) * size),
  )
  return unionAllSql(groups.map((group) => `SELECT * FROM (${unionAllSql(group)})`))
}

const TEXT_COLUMNS = 'CAST(doc AS TEXT) AS doc, event_id, event_ts, title, moments, labels, tags, device_id, counts'

export function listTextsByDoc(
  sql: SqlStorage,
  docs: readonly DocumentId[],
  scope: SearchScope,
): (EventRow & TextRow)[] {
  return sql
    .exec<EventRow & TextRow>(
      `SELECT ${TEXT_COLUMNS} FROM json_each(?1) AS these CROSS JOIN events ON doc = these.value WHERE ${scopeFilterSql(scope.view)}`,
      `[${docs.join(',')}]`,
      ...toFilterParameters(scope),
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
): (EventRow & TextRow)[] {
  return sql
    .exec<EventRow & TextRow>(
      `SELECT ${TEXT_COLUMNS} FROM (SELECT * FROM events WHERE doc >= CAST(?1 AS INTEGER) AND doc < CAST(?2 AS INTEGER)
         ORDER BY doc DESC LIMIT ?3) AS newest WHERE gone IS NULL`,
      from,
      before,
      count,
    )
    .toArray()
}

export function listNewestVisibleTexts(
  sql: SqlStorage,
  { from, before }: DocumentRange,
  count: number,
  scope: SearchScope,
): (EventRow & TextRow)[] {
  return sql
    .exec<EventRow & TextRow>(
      `SELECT ${TEXT_COLUMNS} FROM events WHERE doc >= CAST(?1 AS INTEGER) AND doc < CAST(?6 AS INTEGER) AND ${scopeFilterSql(scope.view)}
       ORDER BY doc DESC LIMIT ?7`,
      from,
      ...toFilterParameters(scope),
      before,
      count,
    )
    .toArray()
}
