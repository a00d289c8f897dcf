import type { SqlStorage } from '@cloudflare/workers-types'
import type { StorageDeletion, StorageLimits } from '../../../contract/cameras/storage-calls.ts'
import { DAY_MS } from '../../../contract/time-units.ts'
import { BATCH_ROWS } from '../retention/tombstone-rows.ts'
import { createOwnClipSql, listLimitedCameras, listStoredDays } from './storage-rows.ts'

/** Times, ms UTC: the limits delete earlier events (`events`) and earlier clips of the home (`clips`) of a camera. */
interface LimitCutoffs {
  readonly events: number
  readonly clips: number
}

const findCutoffs = (sql: SqlStorage, deviceId: string, limits: StorageLimits, now: number): LimitCutoffs => ({
  events: limits.max_days === null ? 0 : now - limits.max_days * DAY_MS,
  clips: limits.max_bytes === null ? 0 : findClipCutoff(sql, deviceId, limits.max_bytes),
})

type DeletedClip = { event_id: string; event_ts: number; clip_bytes: number }

/** Returns the clips that the owner has deleted and can still restore, oldest first. */
function listDeletedClips(sql: SqlStorage, deviceId: string): DeletedClip[] {
  // The plus sign keeps SQLite from the camera's index, which also contains the events that were purged long ago.
  return sql
    .exec<DeletedClip>(
      `SELECT event_id, event_ts, clip_bytes FROM events WHERE gone = 'deleted' AND +device_id = ?
         AND clip_bytes IS NOT NULL AND ${createOwnClipSql('clip_object')} ORDER BY event_ts`,
      deviceId,
    )
    .toArray()
}

/** Returns the camera's days with clips that the owner has not deleted, newest day first. */
function listRetainedDays(sql: SqlStorage, deviceId: string): { day: number; bytes: number }[] {
  const deletedBytes = new Map<number, number>()
  for (const { event_ts, clip_bytes } of listDeletedClips(sql, deviceId)) {
    const day = Math.floor(event_ts / DAY_MS)
    deletedBytes.set(day, (deletedBytes.get(day) ?? 0) + clip_bytes)
  }
  return listStoredDays(sql, deviceId)
    .map(({ day, bytes }) => ({ day, bytes: bytes - (deletedBytes.get(day) ?? 0) }))
    .filter(({ bytes }) => bytes > 0)
}

/** Returns the deleted clips that exceed `maxBytes` together with all others: oldest first, at most `room`. */
function listCrowdedDeletions(sql: SqlStorage, deviceId: string, maxBytes: number | null, room: number): string[] {
  if (maxBytes === null) return []
  let excess = listStoredDays(sql, deviceId).reduce((sum, { bytes }) => sum + bytes, 0) - maxBytes
  const ids: string[] = []
  for (const clip of excess > 0 ? listDeletedClips(sql, deviceId) : []) {
    if (excess <= 0 || ids.length === room) break
    ids.push(clip.event_id)
    excess -= clip.clip_bytes
  }
  return ids
}

/**
 * Returns the time from which the camera's clips fit into `maxBytes`, ms UTC. Clips that the owner has deleted don't
 * count, because they are deleted first. The newest clip always fits. Reads the totals of the days, the deleted clips,
 * and the events of one day.
 */
function findClipCutoff(sql: SqlStorage, deviceId: string, maxBytes: number): number {
  let bytes = 0
  const days = listRetainedDays(sql, deviceId)
  const crowdedDay = days.find((stored) => (bytes += stored.bytes) > maxBytes)
  if (!crowdedDay) return 0
  bytes -= crowdedDay.bytes
  const clips = sql.exec<{ event_ts: number; clip_bytes: number }>(
    `SELECT event_ts, clip_bytes FROM events WHERE device_id = ?1 AND event_ts >= ?2 AND event_ts < ?3
       AND gone IS NULL AND clip_bytes IS NOT NULL AND ${createOwnClipSql('clip_object')}
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

/** Returns what the limits would delete now, except clips that the owner has already deleted. */
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

/**
 * Events to delete: `aged` are too old for the limit in days, `crowded` exceed the limit in bytes. `deleted` also exceed
 * it, but the owner has deleted them already.
 */
export interface OverLimitEvents {
  readonly aged: string[]
  readonly crowded: string[]
  readonly deleted: string[]
}

/** Returns at most one batch of events over the limits of their cameras, oldest first for each camera. */
export function listOverLimitEvents(sql: SqlStorage, now: number): OverLimitEvents {
  const found: OverLimitEvents = { aged: [], crowded: [], deleted: [] }
  let room = BATCH_ROWS
  for (const camera of listLimitedCameras(sql)) {
    if (room === 0) break
    const deleted = listCrowdedDeletions(sql, camera.device_id, camera.max_bytes, room)
    found.deleted.push(...deleted)
    room -= deleted.length
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
