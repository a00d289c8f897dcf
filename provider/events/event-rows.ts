import type { SqlStorage } from '@cloudflare/workers-types'
import type { BridgeEvent, PostClipRequest } from '../../contract/bridge/bridge-protocol.ts'
import { joinIndexEntries } from '../platform/tokenize.ts'
import { toCountsColumn, toDetectionsColumn, toMomentColumns, nextDocumentIdSql } from './index-columns.ts'
import { buildVisibleEventsSql, type EventVisibility, serializeVisibility } from '../billing/plans/event-visibility.ts'
import { hasFreeTag } from './free-plan-events.ts'
import { queueObjectDeletion } from './media-object-rows.ts'
import { HOUR_MS } from '../../contract/time-units.ts'

/** Event in wire format. SQL builds the JSON, because building it in JavaScript takes twice as long for 10,000 rows. */
const PLAIN_EVENT_JSON_SQL = `json_object('event_id', event_id, 'device_id', device_id, 'event_ts', event_ts, 'tags', json(tags),
  'event_values', json(labels), 'title', title, 'event_resources', json(resources),
  'reviewed', json(iif(reviewed, 'true', 'false')))`
export const WIRE_EVENT_JSON_SQL = `iif(uploading, json_insert(${PLAIN_EVENT_JSON_SQL}, '$.clip_state', 'uploading'), ${PLAIN_EVENT_JSON_SQL})`

export function findEvent(sql: SqlStorage, visibility: EventVisibility, eventId: string): string | null {
  const rows = sql.exec<{ json: string }>(
    `SELECT ${WIRE_EVENT_JSON_SQL} AS json FROM events WHERE event_id = ?1 AND ${buildVisibleEventsSql(visibility, '?2')} AND gone IS NULL`,
    eventId,
    serializeVisibility(visibility),
  )
  return rows.toArray()[0]?.json ?? null
}

/**
 * SQL condition for keeping the stored description: the new report has none (`?8` is null), or a description was added
 * after the event.
 */
const KEEPS_DESCRIPTION_SQL = '?8 IS NULL OR described_at IS NOT NULL'

export type EventStoreResult = 'new' | 'clip-added' | 'known'

/**
 * Stores an event. If the id is already stored, only adds a missing clip, with its thumbnail, description, detections
 * and counts. `clipBytes`: length of the clip; null if unknown. `jpeg`: thumbnail that the clip's object will contain.
 */
export function storeEvent(
  sql: SqlStorage,
  event: BridgeEvent,
  clipBytes: number | null = null,
  jpeg: Uint8Array | null = null,
): EventStoreResult {
  if (insertEvent(sql, event, clipBytes, jpeg)) return 'new'
  if (event.clip_object === null && event.thumb_object === null) return 'known'
  const added = sql.exec(
    `UPDATE events SET clip_object = ?1, thumb_object = coalesce(thumb_object, ?2), resources = ?3, clip_begin = ?4, clip_end = ?5,
       uploading = 0, moments = iif(${KEEPS_DESCRIPTION_SQL}, moments, ?8), moment_times = iif(${KEEPS_DESCRIPTION_SQL}, moment_times, ?9),
       found_tracks = coalesce(?10, found_tracks), counts = coalesce(?11, counts),
       thumb_at = iif(thumb_object IS NULL, ?12, thumb_at), clip_bytes = ?13,
       thumb_jpeg = iif(?2 IS NULL, thumb_jpeg, NULL)
     WHERE event_id = ?6 AND device_id = ?7 AND clip_object IS NULL AND ?1 IS NOT NULL AND coalesce(gone, 'deleted') = 'deleted'`,
    event.clip_object,
    event.thumb_object,
    JSON.stringify(event.event_resources),
    ...getClipTimeRange(event),
    event.event_id,
    event.device_id,
    ...toMomentColumns(event),
    toDetectionsColumn(event),
    toCountsColumn(event),
    getThumbnailTime(event),
    clipBytes,
  )
  if (added.rowsWritten > 0) return 'clip-added'
  markUnneededUploads(sql, event)
  return 'known'
}

/** Queues the uploaded objects of an event for deletion if the event was permanently deleted during the upload. */
function markUnneededUploads(
  sql: SqlStorage,
  { event_id, clip_object, thumb_object }: BridgeEvent | PostClipRequest,
): void {
  const isTombstone = sql.exec(
    "SELECT 1 FROM events WHERE event_id = ? AND gone IS NOT NULL AND gone <> 'deleted'",
    event_id,
  )
  if (isTombstone.toArray().length === 0) return
  queueObjectDeletion(
    sql,
    [clip_object, thumb_object].filter((object) => object !== null),
  )
}

/**
 * Result of adding a clip. `lost`: the bridge has no clip for the event. `known`: the event already has a clip or was
 * deleted.
 */
export type ClipAttachResult = 'added' | 'lost' | 'known'

/**
 * Adds the clip of an event that was stored without a clip; returns null if the event is unknown. `clipBytes`: length of
 * the clip; null if unknown.
 */
export function attachClipToEvent(
  sql: SqlStorage,
  clip: PostClipRequest,
  clipBytes: number | null = null,
): ClipAttachResult | null {
  const { event_id, device_id, clip_object } = clip
  const rows = sql.exec<{ clip_object: string | null; gone: string | null }>(
    'SELECT clip_object, gone FROM events WHERE event_id = ? AND device_id = ?',
    event_id,
    device_id,
  )
  const row = rows.toArray()[0]
  if (!row) return null
  if (row.clip_object !== null) return 'known'
  if (row.gone !== null && row.gone !== 'deleted') {
    markUnneededUploads(sql, clip)
    return 'known'
  }
  sql.exec(
    `UPDATE events SET clip_object = ?1, thumb_object = coalesce(?2, thumb_object), resources = ?3, clip_begin = ?4,
       clip_end = ?5, uploading = 0, thumb_at = iif(?2 IS NULL, thumb_at, NULL), clip_bytes = ?7, thumb_bytes = ?8,
       thumb_jpeg = iif(coalesce(?2, ?8) IS NULL, thumb_jpeg, NULL) WHERE event_id = ?6`,
    clip_object,
    clip.thumb_object,
    JSON.stringify(clip_object === null ? [] : clip.event_resources),
    ...getClipTimeRange(clip),
    event_id,
    clip_object === null ? null : clipBytes,
    clip_object === null ? null : (clip.thumb_length ?? null),
  )
  if (clip_object === null) return 'lost'
  return row.gone === null ? 'added' : 'known'
}

/** Inserts an event; returns false if its id is already stored. Other parameters: see `storeEvent`. */
export function insertEvent(
  sql: SqlStorage,
  event: BridgeEvent,
  clipBytes: number | null = null,
  jpeg: Uint8Array | null = null,
): boolean {
  const result = sql.exec(
    `INSERT OR IGNORE INTO events (event_id, device_id, event_ts, title, tags, labels, resources, tag_index, label_index, free,
       clip_begin, clip_end, clip_object, thumb_object, reviewed, uploading, moments, moment_times, found_tracks, counts, thumb_at, clip_bytes, thumb_jpeg, doc)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ${nextDocumentIdSql('?3')})`,
    event.event_id,
    event.device_id,
    event.event_ts,
    event.title,
    JSON.stringify(event.tags),
    JSON.stringify(event.event_values),
    JSON.stringify(event.event_resources),
    joinIndexEntries(event.tags),
    joinIndexEntries(event.event_values),
    hasFreeTag(event.tags) ? 1 : 0,
    ...getClipTimeRange(event),
    event.clip_object,
    event.thumb_object,
    event.reviewed ? 1 : 0,
    event.clip_object === null && event.clip_state === 'uploading' ? 1 : 0,
    ...toMomentColumns(event),
    toDetectionsColumn(event),
    toCountsColumn(event),
    getThumbnailTime(event, jpeg),
    event.clip_object === null ? null : clipBytes,
    jpeg,
  )
  return result.rowsWritten > 0
}

/** Returns the position of the thumbnail in the clip, seconds; null if it is unknown or there is no thumbnail. */
const getThumbnailTime = ({ thumb_object, thumb_at_s }: BridgeEvent, jpeg: Uint8Array | null = null) =>
  thumb_object === null && jpeg === null ? null : (thumb_at_s ?? null)

function getClipTimeRange(
  event: Pick<PostClipRequest, 'clip_object' | 'event_resources'>,
): [number | null, number | null] {
  if (event.clip_object === null || event.event_resources.length === 0) return [null, null]
  return [
    Math.min(...event.event_resources.map((resource) => resource.begin_time)),
    Math.max(...event.event_resources.map((resource) => resource.end_time)),
  ]
}

/**
 * Maximum time between an event and the requested range. It limits the index rows to read. An hour is enough, because
 * clips last only minutes.
 */
const MAX_CLIP_DISTANCE_MS = HOUR_MS

export interface ClipRange {
  readonly device: string
  readonly start: number
  readonly end: number
}

/**
 * Returns the id of the visible event whose clip overlaps the range. Prefers the clip nearest to the start of the
 * range. Returns null if no clip overlaps.
 */
export function findOverlappingClip(
  sql: SqlStorage,
  visibility: EventVisibility,
  { device, start, end }: ClipRange,
): string | null {
  const rows = sql.exec<{ event_id: string }>(
    `SELECT event_id FROM events WHERE device_id = ?1 AND event_ts BETWEEN ?2 - ?4 AND ?3 + ?4
       AND clip_object IS NOT NULL AND clip_begin <= ?3 AND clip_end >= ?2 AND gone IS NULL AND ${buildVisibleEventsSql(visibility, '?5')}
     ORDER BY abs(clip_begin - ?2) LIMIT 1`,
    device,
    start,
    end,
    MAX_CLIP_DISTANCE_MS,
    serializeVisibility(visibility),
  )
  return rows.toArray()[0]?.event_id ?? null
}

/** Returns the detections in an event's clip as JSON; null if they are unknown, or the event is hidden. */
export function findDetections(sql: SqlStorage, visibility: EventVisibility, eventId: string): string | null {
  const rows = sql.exec<{ tracks: string | null }>(
    `SELECT found_tracks AS tracks FROM events WHERE event_id = ?1 AND gone IS NULL AND ${buildVisibleEventsSql(visibility, '?2')}`,
    eventId,
    serializeVisibility(visibility),
  )
  return rows.toArray()[0]?.tracks ?? null
}

/** Returns the id of the camera's latest visible event in the range whose clip is uploading; null for none. */
export function findUploadingClip(
  sql: SqlStorage,
  visibility: EventVisibility,
  { device, start, end }: ClipRange,
): string | null {
  const rows = sql.exec<{ event_id: string }>(
    `SELECT event_id FROM events WHERE device_id = ?1 AND event_ts BETWEEN ?2 AND ?3 AND uploading = 1
       AND gone IS NULL AND ${buildVisibleEventsSql(visibility, '?4')} ORDER BY event_ts DESC LIMIT 1`,
    device,
    start,
    end,
    serializeVisibility(visibility),
  )
  return rows.toArray()[0]?.event_id ?? null
}

/**
 * Returns the storage key of an event's clip (null for none), its upload state and its camera. Returns null if the event
 * is missing or hidden.
 */
export function findClipObject(
  sql: SqlStorage,
  visibility: EventVisibility,
  eventId: string,
): { object: string | null; uploading: number; device_id: string } | null {
  const rows = sql.exec<{ object: string | null; uploading: number; device_id: string }>(
    `SELECT clip_object AS object, uploading, device_id FROM events
     WHERE event_id = ?1 AND gone IS NULL AND ${buildVisibleEventsSql(visibility, '?2')}`,
    eventId,
    serializeVisibility(visibility),
  )
  return rows.toArray()[0] ?? null
}

/**
 * Marks visible events as reviewed or not reviewed. Returns the changed events and the number of ids that are visible.
 */
export function storeReviewMarks(
  sql: SqlStorage,
  visibility: EventVisibility,
  eventIds: readonly string[],
  reviewed: boolean,
): { changed: EventCamera[]; known: number } {
  const visibleSql = `event_id IN (SELECT value FROM json_each(?1)) AND gone IS NULL AND ${buildVisibleEventsSql(visibility, '?2')}`
  const args = [JSON.stringify(eventIds), serializeVisibility(visibility)] as const
  const visibleCount = sql.exec<{ n: number }>(`SELECT count(*) AS n FROM events WHERE ${visibleSql}`, ...args).one().n
  const changed = sql.exec<EventCamera>(
    `UPDATE events SET reviewed = ?3 WHERE reviewed = 1 - ?3 AND ${visibleSql} RETURNING event_id, device_id`,
    ...args,
    reviewed ? 1 : 0,
  )
  return { changed: changed.toArray(), known: visibleCount }
}

export type EventCamera = { event_id: string; device_id: string }

/** Returns as JSON the visible events among the ids, in order of the ids. */
export function listEventsByIds(sql: SqlStorage, visibility: EventVisibility, ids: readonly string[]): string {
  return sql
    .exec<{ json: string }>(
      `SELECT json_group_array(json(${WIRE_EVENT_JSON_SQL})) AS json FROM (
         SELECT events.* FROM json_each(?1) AS asked JOIN events ON event_id = asked.value
         WHERE gone IS NULL AND ${buildVisibleEventsSql(visibility, '?2')} ORDER BY asked.key)`,
      JSON.stringify(ids),
      serializeVisibility(visibility),
    )
    .one().json
}
