import type { SqlStorage } from '@cloudflare/workers-types'
import type { Doc } from '../../events/document-id-rows.ts'
import { shownSql, type EventVisibility, viewJson } from '../../billing/plans/event-visibility.ts'
import type { MatchRequirement } from '../ranking/match-weights.ts'
import type { Scope } from './search-rows.ts'
import type { TextRow } from '../ranking/text-scoring.ts'

export type EventRow = { event_id: string; event_ts: number }

/** Maximum number of SELECTs in one compound; SQLite in a Durable Object accepts at most 5. */
const UNITED = 4

/**
 * SQL condition with parameters 2 to 5 that filters exactly, because the full-text index stores cameras and tags only
 * as words. The unary plus keeps SQLite from using another index instead of the full-text index.
 */
const scopeFilterSql = (
  view: EventVisibility,
) => `${shownSql(view, '?4')} AND +event_ts BETWEEN ?2 AND ?3 AND gone IS NULL
  AND (?5 = '[]' OR EXISTS (SELECT 1 FROM json_each(?5) AS asked JOIN json_each(events.tags) AS has ON has.value = asked.value))`
const toFilterParameters = ({ start, end, view, tags }: Scope) =>
  [start, end, viewJson(view), JSON.stringify(tags)] as const

/** Index query of a slice. Events that do not match a `must` query are skipped. */
export interface Question {
  readonly match: string
  readonly bit: number
  /** True if a match counts toward the minimum `least` of the requirement. */
  readonly asked: boolean
  readonly must: boolean
}

export type SliceRow = EventRow & { mask: number }

/**
 * Returns the visible events of a slice that match. `from` is inclusive, `before` exclusive; `read` is the number of
 * index entries read.
 */
export function readSlice(
  sql: SqlStorage,
  questions: readonly Question[],
  { from, before }: Range,
  { scope, wanted: requirement, limit }: { scope: Scope; wanted: MatchRequirement; limit: number },
): { rows: SliceRow[]; read: number } {
  const FIRST = 11
  const toSelect = ({ bit, asked: isCounted, must }: Question, i: number) =>
    `SELECT rowid AS found, ${bit} AS bit, ${isCounted ? 1 : 0} AS asked, ${must ? 1 : 0} AS must FROM search_index
     WHERE search_index MATCH ?${FIRST + i} AND rowid >= CAST(?1 AS INTEGER) AND rowid < CAST(?6 AS INTEGER)`
  const rows = sql
    .exec<{ read: number; event_id: string | null; event_ts: number; mask: number }>(
      `WITH hit AS MATERIALIZED (SELECT found, sum(bit) AS mask, sum(asked) AS asked, sum(must) AS must, count(*) AS n
         FROM (${united(questions.map(toSelect))}) GROUP BY found)
       SELECT read, event_id, event_ts, mask FROM (SELECT coalesce(sum(n), 0) AS read FROM hit) LEFT JOIN (
         SELECT event_id, event_ts, mask FROM (SELECT * FROM hit WHERE asked >= ?7 AND must = ?8 AND mask & ?10 = ?10 ORDER BY asked DESC, found DESC LIMIT ?9)
           CROSS JOIN events ON doc = found WHERE ${scopeFilterSql(scope.view)}) ON true`,
      from,
      ...toFilterParameters(scope),
      ...[before, requirement.least, questions.filter(({ must }) => must).length, limit, requirement.must],
      ...questions.map(({ match }) => match),
    )
    .toArray()
  return {
    rows: rows.flatMap(({ event_id, event_ts, mask }) => (event_id === null ? [] : [{ event_id, event_ts, mask }])),
    read: rows[0]?.read ?? 0,
  }
}

/** Combines all SELECTs with UNION ALL, in nested groups of at most `UNITED`. */
function united(selects: readonly string[]): string {
  if (selects.length <= UNITED) return selects.join(' UNION ALL ')
  const size = Math.ceil(selects.length / UNITED)
  const groups = Array.from({ length: Math.ceil(selects.length / size) }, (_, n) =>
    selects.slice(n * size, (n + 1) * size),
  )
  return united(groups.map((group) => `SELECT * FROM (${united(group)})`))
}

const TEXT = 'event_id, event_ts, title, moments, labels, tags, device_id, counts'

export function textsAt(sql: SqlStorage, docs: readonly Doc[], scope: Scope): (EventRow & TextRow)[] {
  return sql
    .exec<EventRow & TextRow>(
      `SELECT ${TEXT} FROM json_each(?1) AS these CROSS JOIN events ON doc = these.value WHERE ${scopeFilterSql(scope.view)}`,
      `[${docs.join(',')}]`,
      ...toFilterParameters(scope),
    )
    .toArray()
}

export function listTextsById(sql: SqlStorage, ids: readonly string[], scope: Scope): (EventRow & TextRow)[] {
  return sql
    .exec<EventRow & TextRow>(
      `SELECT ${TEXT} FROM json_each(?1) AS these CROSS JOIN events ON event_id = these.value WHERE ${scopeFilterSql(scope.view)}`,
      JSON.stringify(ids),
      ...toFilterParameters(scope),
    )
    .toArray()
}

interface Range {
  readonly from: Doc
  readonly before: Doc
}

export function newestTexts(sql: SqlStorage, { from, before }: Range, count: number): TextRow[] {
  return sql
    .exec<TextRow>(
      `SELECT ${TEXT} FROM (SELECT * FROM events WHERE doc >= CAST(?1 AS INTEGER) AND doc < CAST(?2 AS INTEGER)
         ORDER BY doc DESC LIMIT ?3) AS newest WHERE gone IS NULL`,
      from,
      before,
      count,
    )
    .toArray()
}

export function newestShown(
  sql: SqlStorage,
  { from, before }: Range,
  count: number,
  scope: Scope,
): (EventRow & TextRow)[] {
  return sql
    .exec<EventRow & TextRow>(
      `SELECT ${TEXT} FROM events WHERE doc >= CAST(?1 AS INTEGER) AND doc < CAST(?6 AS INTEGER) AND ${scopeFilterSql(scope.view)}
       ORDER BY doc DESC LIMIT ?7`,
      from,
      ...toFilterParameters(scope),
      before,
      count,
    )
    .toArray()
}
