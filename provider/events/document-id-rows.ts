import type { SqlStorage } from '@cloudflare/workers-types'
import { firstDocumentIdSql, lastDocumentIdSql } from './index-columns.ts'

/**
 * Document id of an event in the event index, or a start or end of a range of these ids. A string, because ids exceed
 * JavaScript's safe integers.
 */
export type DocumentId = string

/** `from` is inclusive, `before` is exclusive. */
export interface DocumentRange {
  readonly from: DocumentId
  readonly before: DocumentId
}

/** Converts a time range (ms UTC, both ends inclusive) to a range of document ids. */
export function toDocumentIdRange(sql: SqlStorage, { start, end }: { start: number; end: number }): DocumentRange {
  return sql
    .exec<{ from: DocumentId; before: DocumentId }>(
      `SELECT CAST(${firstDocumentIdSql('?1')} AS TEXT) AS "from", CAST(${lastDocumentIdSql('?2')} + 1 AS TEXT) AS before`,
      start,
      end,
    )
    .one()
}

/**
 * Returns the document id and time (ms UTC) of the oldest of the newest `count` events; null if the range has fewer.
 */
export function findNewestRangeStart(
  sql: SqlStorage,
  { from, before }: DocumentRange,
  count: number,
): { doc: DocumentId; event_ts: number } | null {
  const rows = sql.exec<{ doc: DocumentId; event_ts: number }>(
    `SELECT CAST(doc AS TEXT) AS doc, event_ts FROM events WHERE doc = (
       SELECT doc FROM events WHERE doc >= CAST(?1 AS INTEGER) AND doc < CAST(?2 AS INTEGER) ORDER BY doc DESC LIMIT 1 OFFSET ?3)`,
    from,
    before,
    count - 1,
  )
  return rows.toArray()[0] ?? null
}

/** Returns the document ids of the newest `count` events in the range that match an index query, newest first. */
export function listNewestMatches(
  sql: SqlStorage,
  match: string,
  { from, before }: DocumentRange,
  count: number,
): DocumentId[] {
  const { docs } = sql
    .exec<{ docs: string | null }>(
      `SELECT group_concat(found) AS docs FROM (SELECT rowid AS found FROM search_index WHERE search_index MATCH ?1
         AND rowid >= CAST(?2 AS INTEGER) AND rowid < CAST(?3 AS INTEGER) ORDER BY rowid DESC LIMIT ?4)`,
      match,
      from,
      before,
      count,
    )
    .one()
  return docs === null ? [] : docs.split(',')
}

/**
 * Returns the document ids of the events in the range that match an index query, newest first. Returns null for more
 * than `limit` events.
 */
export function findRareDocuments(
  sql: SqlStorage,
  match: string,
  range: DocumentRange,
  limit: number,
): DocumentId[] | null {
  const docs = listNewestMatches(sql, match, range, limit + 1)
  return docs.length > limit ? null : docs
}
