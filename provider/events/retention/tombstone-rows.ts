import type { SqlStorage } from '@cloudflare/workers-types'
import { EVENT_RESTORE_MS } from '../../../contract/events/timeline.ts'
import {
  buildVisibleEventsSql,
  type EventVisibility,
  serializeVisibility,
} from '../../billing/plans/event-visibility.ts'
import { removeFromCounters } from '../day-counters.ts'
import type { EventCamera } from '../event-rows.ts'
import { queueObjectDeletion } from '../media-object-rows.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/**
 * Reason why an event is no longer listed. The row of the event stays, so that the timeline can explain the gap and a
 * bridge cannot add the event again. Only `deleted` can be undone; events with other reasons lose clip and text.
 */
export type TombstoneReason = 'deleted' | 'purged' | 'expired' | 'full' | 'limit'

/** Lifetime of tombstones: longer than the retention of any plan. */
export const TOMBSTONE_RETENTION_MS = 63 * DAY_MS
/** Rows per batch: few enough not to delay a concurrent list query. */
export const BATCH_ROWS = 200

const stringify = JSON.stringify

/** Marks visible events as deleted, and returns those that were not deleted before. */
export function tombstoneEvents(
  sql: SqlStorage,
  visibility: EventVisibility,
  eventIds: readonly string[],
  now: number,
): EventCamera[] {
  return sql
    .exec<EventCamera>(
      `UPDATE events SET gone = 'deleted', gone_at = ?3 WHERE gone IS NULL
         AND event_id IN (SELECT value FROM json_each(?1)) AND ${buildVisibleEventsSql(visibility, '?2')}
       RETURNING event_id, device_id`,
      stringify(eventIds),
      serializeVisibility(visibility),
      now,
    )
    .toArray()
}

/** Restores the events that were deleted less than `EVENT_RESTORE_MS` ago, and returns them. */
export function restoreTombstones(
  sql: SqlStorage,
  devices: readonly string[],
  eventIds: readonly string[],
  now: number,
): EventCamera[] {
  return sql
    .exec<EventCamera>(
      `UPDATE events SET gone = NULL, gone_at = NULL WHERE gone = 'deleted' AND gone_at > ?3
         AND event_id IN (SELECT value FROM json_each(?1)) AND device_id IN (SELECT value FROM json_each(?2))
       RETURNING event_id, device_id`,
      stringify(eventIds),
      stringify(devices),
      now - EVENT_RESTORE_MS,
    )
    .toArray()
}

export function countEvents(sql: SqlStorage, visibility: EventVisibility, eventIds: readonly string[]): number {
  return sql
    .exec<{ n: number }>(
      `SELECT count(*) AS n FROM events WHERE gone IS NULL
         AND event_id IN (SELECT value FROM json_each(?1)) AND ${buildVisibleEventsSql(visibility, '?2')}`,
      stringify(eventIds),
      serializeVisibility(visibility),
    )
    .one().n
}

export interface TombstoneBatch {
  readonly events: number
  readonly clips: number
}

const LISTED_EVENTS_SQL = 'SELECT event_id FROM json_each(?1) CROSS JOIN events ON event_id = value WHERE gone IS NULL'

export const BATCH_QUERIES = {
  /** `?1`: JSON array of [camera id, cutoff]. Events before the cutoff (ms UTC) expire. */
  expired: `SELECT event_id FROM json_each(?1) AS floor JOIN events ON device_id = json_extract(floor.value, '$[0]')
    WHERE gone IS NULL AND event_ts < json_extract(floor.value, '$[1]') LIMIT ${BATCH_ROWS}`,
  /** `?1`: ms UTC. Events that were deleted at or before this time can no longer be restored. */
  purged: `SELECT event_id FROM events WHERE gone = 'deleted' AND gone_at <= ?1 LIMIT ${BATCH_ROWS}`,
  /** `?1`: JSON array of event ids. Deleted events among them can no longer be restored. */
  deleted: `SELECT event_id FROM json_each(?1) CROSS JOIN events ON event_id = value WHERE gone = 'deleted'`,
  /** `?1`: JSON array of event ids. */
  full: LISTED_EVENTS_SQL,
  limit: LISTED_EVENTS_SQL,
} as const

/**
 * Turns one batch of events into tombstones, and queues their objects for deletion. Must run in a transaction, so that
 * a crash leaves no object behind.
 */
export function createTombstones(
  sql: SqlStorage,
  batch: keyof typeof BATCH_QUERIES,
  limit: number | string,
  now: number,
): TombstoneBatch {
  const rows = sql.exec<{ event_id: string }>(BATCH_QUERIES[batch], limit).toArray()
  if (rows.length === 0) return { events: 0, clips: 0 }
  const ids = stringify(rows.map((row) => row.event_id))
  const idFilter = 'event_id IN (SELECT value FROM json_each(?))'
  const objects = sql
    .exec<{ clip: string | null; thumb: string | null }>(
      `SELECT clip_object AS clip, thumb_object AS thumb FROM events WHERE ${idFilter}`,
      ids,
    )
    .toArray()
  const unneeded = objects.flatMap(({ clip, thumb }) => [clip, thumb]).filter((object) => object !== null)
  queueObjectDeletion(sql, [...new Set(unneeded)])
  removeFromCounters(sql, ids)
  for (const table of ['feedback', 'feedback_videos']) sql.exec(`DELETE FROM ${table} WHERE ${idFilter}`, ids)
  sql.exec(
    `UPDATE events SET gone = ?2, gone_at = ?3, title = '', labels = '[]', label_index = '', tags = '[]', tag_index = '',
       resources = '[]', moments = NULL, moment_times = NULL, found_tracks = NULL, counts = NULL,
       described_at = NULL, described_by = NULL, own_title = NULL, clip_object = NULL, thumb_object = NULL, thumb_at = NULL,
       thumb_bytes = NULL, thumb_jpeg = NULL, uploading = 0
     WHERE event_id IN (SELECT value FROM json_each(?1))`,
    ids,
    (batch === 'deleted' ? 'purged' : batch) satisfies TombstoneReason,
    now,
  )
  return { events: rows.length, clips: objects.filter(({ clip }) => clip !== null).length }
}

/** Oldest tombstones per camera that one step reads. */
const MAX_OLD_TOMBSTONES = 50

/** Cameras with tombstones, one index row each. */
const TOMBSTONE_CAMERAS_SQL = `WITH RECURSIVE cameras (id) AS (
    SELECT min(device_id) FROM events WHERE gone IS NOT NULL
    UNION ALL SELECT (SELECT min(device_id) FROM events WHERE gone IS NOT NULL AND device_id > id) FROM cameras WHERE id IS NOT NULL)`

/**
 * Deletes tombstones that are older than `TOMBSTONE_RETENTION_MS`, like their events. Reads only the oldest tombstones of each
 * camera. Returns true if further tombstones may be old enough.
 */
export function deleteOldTombstones(sql: SqlStorage, now: number): boolean {
  const deleted = sql
    .exec(
      `DELETE FROM events WHERE event_id IN (
         ${TOMBSTONE_CAMERAS_SQL}
         SELECT old.event_id FROM cameras CROSS JOIN events AS old ON old.event_id IN (
           SELECT event_id FROM events WHERE gone IS NOT NULL AND device_id = cameras.id AND event_ts < ?1
           ORDER BY event_ts LIMIT ${MAX_OLD_TOMBSTONES})
         WHERE old.gone IN ('purged', 'expired', 'full', 'limit') AND old.gone_at < ?1 LIMIT ${BATCH_ROWS})
       RETURNING event_id`,
      now - TOMBSTONE_RETENTION_MS,
    )
    .toArray()
  return deleted.length >= MAX_OLD_TOMBSTONES
}
