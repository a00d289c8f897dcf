import type { SqlStorage } from '@cloudflare/workers-types'
import { docAt, lastDocAt } from './index-columns.ts'

/**
 * Position between two events in the index: the document id of the event that follows. A string, because the ids exceed
 * JavaScript's safe integers.
 */
export type Doc = string

/** Converts a time range (ms UTC) to an index range: `from` is included, `before` is not. */
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

/**
 * Returns the position and time (ms UTC) at which the newest `count` events of the range start; null if the range has
 * fewer events.
 */
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

/**
 * Counts the events from a position on. Stops at `limit` + 1, so a larger result than `limit` means that there are
 * more.
 */
export function countFrom(sql: SqlStorage, place: Doc, limit: number): number {
  return sql
    .exec<{ n: number }>(
      `SELECT count(*) AS n FROM (SELECT 1 FROM events WHERE doc >= CAST(?1 AS INTEGER) LIMIT ?2)`,
      place,
      limit + 1,
    )
    .one().n
}

/**
 * Returns document ids of the events in the range that match an index query, newest first; null if there are more than
 * `limit`.
 */
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
