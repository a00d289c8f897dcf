import type { SqlStorage } from '@cloudflare/workers-types'
import { docAt, lastDocAt } from './index-columns.ts'

/** A place in the index, between events: the number of the one behind it. Written as text, JavaScript's numbers are too short for it. */
export type Doc = string

/** The range of the index that a range of time (ms UTC) is: from the first to before the second. */
export function toIndexRange(
  sql: SqlStorage,
  { start, end }: { start: number; end: number },
): { from: Doc; before: Doc } {
  return sql
    .exec<{ from: Doc; before: Doc }>(
      `SELECT CAST(${docAt('?1')} AS TEXT) AS "from", CAST(${lastDocAt('?2')} + 1 AS TEXT) AS before`,
      start,
      end,
    )
    .one()
}

/** Where the newest `count` events of a range begin, and the time of the first of them, ms UTC; null: there are no more than that. */
export function newestRangeStart(
  sql: SqlStorage,
  { from, before }: { from: Doc; before: Doc },
  count: number,
): { doc: Doc; event_ts: number } | null {
  const rows = sql.exec<{ doc: Doc; event_ts: number }>(
    `SELECT CAST(doc AS TEXT) AS doc, event_ts FROM events WHERE doc = (
       SELECT doc FROM events WHERE doc >= CAST(?1 AS INTEGER) AND doc < CAST(?2 AS INTEGER) ORDER BY doc DESC LIMIT 1 OFFSET ?3)`,
    from,
    before,
    count - 1,
  )
  return rows.toArray()[0] ?? null
}

/** How many events are not before the place, counted up to `most` and one more. */
export function countFrom(sql: SqlStorage, place: Doc, limit: number): number {
  return sql
    .exec<{ n: number }>(
      `SELECT count(*) AS n FROM (SELECT 1 FROM events WHERE doc >= CAST(?1 AS INTEGER) LIMIT ?2)`,
      place,
      limit + 1,
    )
    .one().n
}

/** Numbers of the newest events in the range that match a question for the index; null when there are more than `most`. */
export function rareDocs(
  sql: SqlStorage,
  match: string,
  { from, before }: { from: Doc; before: Doc },
  limit: number,
): Doc[] | null {
  const { docs } = sql
    .exec<{ docs: string | null }>(
      `SELECT group_concat(found) AS docs FROM (SELECT rowid AS found FROM search_index WHERE search_index MATCH ?1
         AND rowid >= CAST(?2 AS INTEGER) AND rowid < CAST(?3 AS INTEGER) ORDER BY rowid DESC LIMIT ${limit + 1})`,
      match,
      from,
      before,
    )
    .one()
  const all = docs === null ? [] : docs.split(',')
  return all.length > limit ? null : all
}
