import type { SqlStorage } from '@cloudflare/workers-types'
import type { StorageLimits } from '../../../contract/cameras/storage-calls.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** SQL condition for clips that belong to the home. Demo events share clips outside the folders of homes. */
export const createOwnClipSql = (column: string) => `${column} GLOB 'h/*'`
/** SQL condition for a row with a clip that `clip_storage` counts. */
export const createCountedClipSql = (row: string) =>
  `${createOwnClipSql(`${row}.clip_object`)} AND ${row}.clip_bytes IS NOT NULL`
const createDaySql = (row: string) => `${row}.event_ts / ${DAY_MS}`

/**
 * Schema step of the `Home` object. `clip_storage`: sizes of stored clips by the UTC day of their event, in days since
 * 1970. A trigger updates it. `camera_storage.freed_until`: clips before this time (ms UTC) were deleted for space.
 */
export const STORAGE_SCHEMA_STEP = `
  CREATE TABLE clip_storage (
    device_id TEXT NOT NULL,
    day INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    clips INTEGER NOT NULL,
    PRIMARY KEY (device_id, day)
  ) WITHOUT ROWID;
  INSERT INTO clip_storage SELECT device_id, ${createDaySql('events')}, sum(clip_bytes), count(*) FROM events
    WHERE ${createCountedClipSql('events')} GROUP BY 1, 2;
  CREATE TRIGGER clip_storage_update AFTER UPDATE OF clip_bytes, clip_object ON events
    WHEN OLD.clip_bytes IS NOT NEW.clip_bytes OR OLD.clip_object IS NOT NEW.clip_object BEGIN
    UPDATE clip_storage SET bytes = bytes - OLD.clip_bytes, clips = clips - 1
      WHERE ${createCountedClipSql('OLD')} AND device_id = OLD.device_id AND day = ${createDaySql('OLD')};
    INSERT INTO clip_storage SELECT NEW.device_id, ${createDaySql('NEW')}, NEW.clip_bytes, 1 WHERE ${createCountedClipSql('NEW')}
      ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes, clips = clips + 1;
    DELETE FROM clip_storage WHERE device_id = OLD.device_id AND day = ${createDaySql('OLD')} AND clips <= 0;
  END;
  CREATE INDEX events_unmeasured ON events (clip_object) WHERE clip_bytes IS NULL AND ${createOwnClipSql('clip_object')};
  CREATE TABLE camera_storage (
    device_id TEXT PRIMARY KEY,
    max_bytes INTEGER,
    max_days INTEGER,
    freed_until INTEGER
  ) WITHOUT ROWID;
  ALTER TABLE self ADD COLUMN media_bytes INTEGER;
  DROP TRIGGER search_votes_gone;
  CREATE TRIGGER search_votes_gone AFTER UPDATE OF gone ON events WHEN NEW.gone IN ('purged', 'expired', 'full', 'limit') BEGIN
    DELETE FROM search_votes WHERE event_id = NEW.event_id;
  END;
`

type StoredDay = { day: number; bytes: number; clips: number }

/** Returns the sizes of a camera's stored clips by UTC day, newest day first. */
export function listStoredDays(sql: SqlStorage, deviceId: string): StoredDay[] {
  const selectUncounted = (goneCondition: string) =>
    `SELECT ${createDaySql('events')}, clip_bytes, 1 FROM events WHERE ${goneCondition} AND device_id = ?1
       AND event_ts >= (SELECT before_day FROM counted_days) * ${DAY_MS} AND ${createCountedClipSql('events')}`
  return sql
    .exec<StoredDay>(
      `SELECT day, sum(bytes) AS bytes, sum(clips) AS clips FROM (
         SELECT day, bytes, clips FROM clip_storage WHERE device_id = ?1
         UNION ALL ${selectUncounted('gone IS NULL')} UNION ALL ${selectUncounted('gone IS NOT NULL')})
       GROUP BY day ORDER BY day DESC`,
      deviceId,
    )
    .toArray()
}

export type StoredLimits = StorageLimits & { freed_until: number | null }
const NO_LIMITS: StoredLimits = { max_bytes: null, max_days: null, freed_until: null }

export function readLimits(sql: SqlStorage, deviceId: string): StoredLimits {
  const rows = sql.exec<StoredLimits>(
    'SELECT max_bytes, max_days, freed_until FROM camera_storage WHERE device_id = ?',
    deviceId,
  )
  return rows.toArray()[0] ?? NO_LIMITS
}

/** Returns the cameras that have limits, or whose clips were deleted for space. */
export function listLimits(sql: SqlStorage): (StoredLimits & { device_id: string })[] {
  return sql
    .exec<StoredLimits & { device_id: string }>(
      'SELECT device_id, max_bytes, max_days, freed_until FROM camera_storage',
    )
    .toArray()
}

/** Returns the cameras that have limits. */
export const listLimitedCameras = (sql: SqlStorage): (StoredLimits & { device_id: string })[] =>
  listLimits(sql).filter(({ max_bytes, max_days }) => max_bytes !== null || max_days !== null)

/** Stores the limits of a camera. Returns false if nothing changed. */
export function writeLimits(sql: SqlStorage, deviceId: string, { max_bytes, max_days }: StorageLimits): boolean {
  const before = readLimits(sql, deviceId)
  if (before.max_bytes === max_bytes && before.max_days === max_days) return false
  sql.exec(
    `INSERT INTO camera_storage (device_id, max_bytes, max_days) VALUES (?1, ?2, ?3)
     ON CONFLICT DO UPDATE SET max_bytes = ?2, max_days = ?3`,
    deviceId,
    max_bytes,
    max_days,
  )
  return true
}

/** Records for each camera that clips of these events were deleted to free up space. Call before the deletion. */
export function recordFreedEvents(sql: SqlStorage, eventIds: readonly string[]): void {
  sql.exec(
    `INSERT INTO camera_storage (device_id, freed_until)
     SELECT device_id, max(event_ts) + 1 FROM events WHERE event_id IN (SELECT value FROM json_each(?)) AND gone IS NULL
     GROUP BY device_id
     ON CONFLICT DO UPDATE SET freed_until = max(coalesce(freed_until, 0), excluded.freed_until)`,
    JSON.stringify(eventIds),
  )
}

/** Returns the keys of at most `limit` stored clips of this home whose size is unknown. */
export function listUnmeasuredClips(sql: SqlStorage, limit: number): string[] {
  const rows = sql.exec<{ clip_object: string }>(
    `SELECT DISTINCT clip_object FROM events
     WHERE clip_bytes IS NULL AND ${createOwnClipSql('clip_object')} LIMIT ?`,
    limit,
  )
  return rows.toArray().map(({ clip_object }) => clip_object)
}
