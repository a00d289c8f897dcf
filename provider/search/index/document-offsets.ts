import type { SqlStorage } from '@cloudflare/workers-types'
import { type DocumentRange, toDocumentIdRange } from '../../events/document-id-rows.ts'
import { IDS_PER_MS, MAX_DOCUMENT_TIME_MS } from '../../events/index-columns.ts'

/**
 * Document id of an event, relative to the first id at `OffsetRange.baseMs`. A number, because JavaScript finds and
 * compares numbers much faster than the strings of `DocumentId`.
 */
export type DocumentOffset = number

/** `from` is inclusive, `before` is exclusive. `baseMs`: time of offset 0, ms UTC. */
export interface OffsetRange {
  readonly baseMs: number
  readonly from: DocumentOffset
  readonly before: DocumentOffset
}

/** Longest range in which all offsets are exact: 99 days. Calls of clients have ranges up to `EVENT_SPAN_MAX_MS`. */
const RANGE_MAX_MS = Math.floor(Number.MAX_SAFE_INTEGER / IDS_PER_MS) - 1

const baseIdSql = (base: string) => `CAST(${base} AS INTEGER) * ${IDS_PER_MS}`
/** Returns SQL for the document id of an offset. `base`: SQL parameter for `baseMs`. */
export const documentIdSql = (base: string, offset: string) => `(${baseIdSql(base)} + CAST(${offset} AS INTEGER))`
/** Returns SQL for the offset of a document id. `base`: SQL parameter for `baseMs`. */
export const documentOffsetSql = (base: string, doc: string) => `(${doc} - ${baseIdSql(base)})`
/** Returns the time (ms UTC) of an event. */
export const getOffsetTime = ({ baseMs }: Pick<OffsetRange, 'baseMs'>, offset: DocumentOffset): number =>
  baseMs + Math.floor(offset / IDS_PER_MS)

/**
 * Converts a time range (ms UTC, both ends inclusive) to a range of offsets. If it is longer than `RANGE_MAX_MS`,
 * returns the part of it that ends at its newest event.
 */
export function toOffsetRange(sql: SqlStorage, { start, end }: { start: number; end: number }): OffsetRange {
  const toDocumentTime = (time: number) => Math.trunc(Math.min(time, MAX_DOCUMENT_TIME_MS))
  let [baseMs, lastMs] = [toDocumentTime(start), toDocumentTime(end)]
  if (lastMs - baseMs > RANGE_MAX_MS) {
    lastMs = findNewestTime(sql, toDocumentIdRange(sql, { start, end })) ?? baseMs
    baseMs = Math.max(baseMs, lastMs - RANGE_MAX_MS)
  }
  return { baseMs, from: 0, before: Math.max(0, (lastMs + 1 - baseMs) * IDS_PER_MS) }
}

function findNewestTime(sql: SqlStorage, { from, before }: DocumentRange): number | null {
  const rows = sql.exec<{ ms: number }>(
    `SELECT doc / ${IDS_PER_MS} AS ms FROM events WHERE doc >= CAST(?1 AS INTEGER) AND doc < CAST(?2 AS INTEGER)
     ORDER BY doc DESC LIMIT 1`,
    from,
    before,
  )
  return rows.toArray()[0]?.ms ?? null
}

/**
 * Returns the offset and time (ms UTC) of the oldest of the newest `count` events; null if the range has fewer.
 */
export function findNewestOffsetsStart(
  sql: SqlStorage,
  { baseMs, from, before }: OffsetRange,
  count: number,
): { doc: DocumentOffset; event_ts: number } | null {
  const rows = sql.exec<{ doc: DocumentOffset; event_ts: number }>(
    `SELECT ${documentOffsetSql('?1', 'doc')} AS doc, event_ts FROM events WHERE doc = (
       SELECT doc FROM events WHERE doc >= ${documentIdSql('?1', '?2')} AND doc < ${documentIdSql('?1', '?3')}
       ORDER BY doc DESC LIMIT 1 OFFSET ?4)`,
    baseMs,
    from,
    before,
    count - 1,
  )
  return rows.toArray()[0] ?? null
}

/**
 * Counts the events from the end of a range on, and stops at `limit` + 1. A result above `limit` means that there are
 * more events.
 */
export const countEventsFrom = (sql: SqlStorage, { baseMs, before }: OffsetRange, limit: number): number =>
  sql
    .exec<{ n: number }>(
      `SELECT count(*) AS n FROM (SELECT 1 FROM events WHERE doc >= ${documentIdSql('?1', '?2')} LIMIT ?3)`,
      baseMs,
      before,
      limit + 1,
    )
    .one().n

/** Returns the offsets of the newest `count` events in the range that match an index query, newest first. */
export function listNewestOffsets(
  sql: SqlStorage,
  match: string,
  { baseMs, from, before }: OffsetRange,
  count: number,
): DocumentOffset[] {
  const { docs } = sql
    .exec<{ docs: string | null }>(
      `SELECT group_concat(found) AS docs FROM (SELECT ${documentOffsetSql('?2', 'rowid')} AS found FROM search_index
         WHERE search_index MATCH ?1 AND rowid >= ${documentIdSql('?2', '?3')} AND rowid < ${documentIdSql('?2', '?4')}
         ORDER BY rowid DESC LIMIT ?5)`,
      match,
      baseMs,
      from,
      before,
      count,
    )
    .one()
  return parseOffsets(docs)
}

/** Parses the result of `group_concat`. */
export const parseOffsets = (list: string | null): DocumentOffset[] =>
  list === null ? [] : (JSON.parse(`[${list}]`) as DocumentOffset[])
