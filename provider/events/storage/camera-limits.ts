import type { SqlStorage } from '@cloudflare/workers-types'
import type { StorageDeletion, StorageLimits } from '../../../contract/cameras/storage-calls.ts'
import { DAY_MS } from '../../../contract/time-units.ts'
import { BATCH_ROWS } from '../retention/tombstone-rows.ts'
import { createOwnClipSql, listLimits, listStoredDays } from './storage-rows.ts'

/** Times, ms UTC: the limits delete earlier events (`events`) and earlier clips of the home (`clips`) of a camera. */
interface LimitCutoffs {
  readonly events: number
  readonly clips: number
}

const findCutoffs = (sql: SqlStorage, deviceId: string, limits: StorageLimits, now: number): LimitCutoffs => ({
  events: limits.max_days === null ? 0 : now - limits.max_days * DAY_MS,
  clips: limits.max_bytes === null ? 0 : findClipCutoff(sql, deviceId, limits.max_bytes),
})

/**
 * Returns the time from which the camera's clips fit into `maxBytes`, ms UTC. The newest clip always fits. Reads the
 * totals of the days, and the events of one day.
 */
function findClipCutoff(sql: SqlStorage, deviceId: string, maxBytes: number): number {
  let bytes = 0
  const days = listStoredDays(sql, deviceId)
  const crowdedDay = days.find((stored) => (bytes += stored.bytes) > maxBytes)
  if (!crowdedDay) return 0
  bytes -= crowdedDay.bytes
  const clips = sql.exec<{ event_ts: number; clip_bytes: number }>(
    `SELECT event_ts, clip_bytes FROM events WHERE device_id = ?1 AND event_ts >= ?2 AND event_ts < ?3
       AND (gone IS NULL OR gone = 'deleted') AND clip_bytes IS NOT NULL AND ${createOwnClipSql('clip_object')}
     ORDER BY event_ts DESC`,
    deviceId,
    crowdedDay.day * DAY_MS,
    (crowdedDay.day + 1) * DAY_MS,
  )
  let isNewest = crowdedDay === days[0]
  let cutoff = (crowdedDay.day + 1) * DAY_MS
  for (const clip of clips.toArray()) {
    bytes += clip.clip_bytes
    if (bytes > maxBytes && !isNewest) break
    cutoff = clip.event_ts
    isNewest = false
  }
  return cutoff
}

/** `?1`: camera; `?2` and `?3`: cutoffs of events and clips. Never selects an event whose clip is still uploading. */
const OVER_LIMIT_SQL = `device_id = ?1 AND gone IS NULL AND uploading = 0
  AND event_ts < max(?2, ?3) AND (event_ts < ?2 OR ${createOwnClipSql('clip_object')})`

/** Returns what the limits would delete now. */
export function previewDeletion(
  sql: SqlStorage,
  deviceId: string,
  limits: StorageLimits,
  now: number,
): StorageDeletion {
  const { events, clips } = findCutoffs(sql, deviceId, limits, now)
  return sql
    .exec<StorageDeletion & Record<string, number | null>>(
      `SELECT count(*) AS events, coalesce(sum(iif(${createOwnClipSql('clip_object')}, clip_bytes, 0)), 0) AS bytes,
         min(event_ts) AS "from", max(event_ts) AS until FROM events WHERE ${OVER_LIMIT_SQL}`,
      deviceId,
      events,
      clips,
    )
    .one()
}

/** Events to delete: `aged` are too old for the limit in days, `crowded` exceed the limit in bytes. */
export interface OverLimitEvents {
  readonly aged: string[]
  readonly crowded: string[]
}

/** Returns at most one batch of events over the limits of their cameras, oldest first for each camera. */
export function listOverLimitEvents(sql: SqlStorage, now: number): OverLimitEvents {
  const cameras = listLimits(sql).filter(({ max_bytes, max_days }) => max_bytes !== null || max_days !== null)
  const found: OverLimitEvents = { aged: [], crowded: [] }
  let room = BATCH_ROWS
  for (const camera of cameras) {
    if (room === 0) break
    const { events, clips } = findCutoffs(sql, camera.device_id, camera, now)
    const rows = sql.exec<{ event_id: string; event_ts: number }>(
      `SELECT event_id, event_ts FROM events WHERE ${OVER_LIMIT_SQL} ORDER BY event_ts LIMIT ?4`,
      camera.device_id,
      events,
      clips,
      room,
    )
    for (const { event_id, event_ts } of rows.toArray()) {
      found[event_ts < events ? 'aged' : 'crowded'].push(event_id)
      room -= 1
    }
  }
  return found
}
