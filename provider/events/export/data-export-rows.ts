import type { SqlStorage } from '@cloudflare/workers-types'
import {
  buildVisibleEventsSql,
  type EventVisibility,
  getVisibilityStart,
  serializeVisibility,
} from '../../billing/plans/event-visibility.ts'
import type { DocumentId } from '../document-id-rows.ts'
import { firstDocumentIdSql } from '../index-columns.ts'
import { selectEventsByObject } from '../media-object-rows.ts'

export type ExportedEvent = {
  doc: DocumentId
  event_id: string
  event_ts: number
  device_id: string
  title: string
  /** JSON array of tag ids. */
  tags: string
  reviewed: number
  clip_begin: number | null
  clip_end: number | null
  clip_object: string | null
  clip_bytes: number | null
  clip_crc: number | null
}

/** Returns at most `limit` visible events after a document id, oldest first. */
export function listEventsAfter(
  sql: SqlStorage,
  visibility: EventVisibility,
  after: DocumentId,
  limit: number,
): ExportedEvent[] {
  if (visibility.length === 0) return []
  return sql
    .exec<ExportedEvent>(
      `SELECT CAST(doc AS TEXT) AS doc, event_id, event_ts, device_id, title, tags, reviewed, clip_begin, clip_end,
         clip_object, clip_bytes, clip_crc
       FROM events WHERE doc > CAST(?1 AS INTEGER) AND doc >= ${firstDocumentIdSql('?3')} AND gone IS NULL AND ${buildVisibleEventsSql(visibility, '?2')}
       ORDER BY events.doc LIMIT ?4`,
      after,
      serializeVisibility(visibility),
      getVisibilityStart(visibility),
      limit,
    )
    .toArray()
}

export type ExportTotals = { events: number; clips: number; bytes: number; unknown: number }

/**
 * Counts the visible events among the newest `limit` events, and the clips of these events. `bytes`: total of the known
 * clip lengths. `unknown`: number of clips whose length is unknown.
 */
export function countExportedEvents(sql: SqlStorage, visibility: EventVisibility, limit: number): ExportTotals {
  if (visibility.length === 0) return { events: 0, clips: 0, bytes: 0, unknown: 0 }
  return sql
    .exec<ExportTotals>(
      `SELECT count(*) AS events, count(clip_object) AS clips, coalesce(sum(clip_bytes), 0) AS bytes,
         count(clip_object) - count(iif(clip_object IS NULL, NULL, clip_bytes)) AS unknown
       FROM (SELECT * FROM events WHERE doc >= ${firstDocumentIdSql('?2')} AND gone IS NULL ORDER BY doc DESC LIMIT ?3) AS events
       WHERE ${buildVisibleEventsSql(visibility, '?1')}`,
      serializeVisibility(visibility),
      getVisibilityStart(visibility),
      limit,
    )
    .one()
}

export function recordClipLengths(sql: SqlStorage, lengths: readonly { key: string; size: number }[]): void {
  const unknown = sql.exec<{ event_id: string; size: number }>(
    `SELECT events.event_id, json_extract(stored.value, '$[1]') AS size FROM json_each(?) AS stored
     CROSS JOIN events ON events.event_id IN (${selectEventsByObject('clip_object', "json_extract(stored.value, '$[0]')")})
     WHERE clip_bytes IS NULL`,
    JSON.stringify(lengths.map(({ key, size }) => [key, size])),
  )
  sql.exec(
    `UPDATE events SET clip_bytes = json_extract(known.value, '$.size') FROM json_each(?) AS known
     WHERE events.event_id = json_extract(known.value, '$.event_id')`,
    JSON.stringify(unknown.toArray()),
  )
}

/**
 * Returns the storage keys of visible clips of unknown length outside the home's folder, at most `limit` and without
 * duplicates.
 */
export function listClipsOutsideFolder(
  sql: SqlStorage,
  visibility: EventVisibility,
  folder: string,
  limit: number,
): string[] {
  return sql
    .exec<{ clip_object: string }>(
      `SELECT DISTINCT clip_object FROM events WHERE clip_bytes IS NULL AND clip_object IS NOT NULL AND gone IS NULL
         AND clip_object NOT GLOB ?2 AND ${buildVisibleEventsSql(visibility, '?1')} LIMIT ?3`,
      serializeVisibility(visibility),
      `${folder}*`,
      limit,
    )
    .toArray()
    .map(({ clip_object }) => clip_object)
}
