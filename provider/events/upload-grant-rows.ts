import type { SqlStorage } from '@cloudflare/workers-types'
import { BATCH } from './retention/tombstone-rows.ts'

/** Objects that may be under way to a home at a time: a day without a connection, of many cameras. */
const OPEN_MAX = 2000
/** Bytes that a home takes within a day (UTC): 64 cameras that film half of the time. */
const DAY_BYTES = 1e12
const DAY_MS = 86_400_000
/** An object that no event names so long after its grant has ended is forgotten; the bridge brings it again where it still has it. */
const UNNAMED_MS = 3_600_000

/** An object that a bridge wants to bring. */
export interface RequestedUpload {
  readonly object: string
  readonly bytes: number
}

/**
 * Notes that these objects may be brought until `until`; of one that was noted before only what is more counts. Answers why not: too many
 * are under way, or too many bytes for a day. Times in ms UTC.
 */
export function reserve(
  sql: SqlStorage,
  uploads: readonly RequestedUpload[],
  until: number,
  now: number,
): 'reserved' | 'many' | 'much' {
  const stored = sql
    .exec<{ object: string; bytes: number }>(
      "SELECT object, bytes FROM granted_objects WHERE object IN (SELECT json_extract(value, '$.object') FROM json_each(?))",
      JSON.stringify(uploads),
    )
    .toArray()
  const before = new Map(stored.map(({ object, bytes }) => [object, bytes]))
  const fresh = uploads.filter(({ object }) => !before.has(object))
  const { open } = sql.exec<{ open: number }>('SELECT count(*) AS open FROM granted_objects').one()
  if (fresh.length > 0 && open + fresh.length > OPEN_MAX) return 'many'
  const day = Math.floor(now / DAY_MS)
  const today = sql.exec<{ bytes: number }>('SELECT bytes FROM granted_bytes WHERE day = ?', day).toArray()[0]
  const bytes =
    (today?.bytes ?? 0) +
    uploads.reduce((sum, upload) => sum + Math.max(0, upload.bytes - (before.get(upload.object) ?? 0)), 0)
  if (bytes > DAY_BYTES) return 'much'
  sql.exec(
    `INSERT INTO granted_objects (object, until, bytes)
     SELECT json_extract(value, '$.object'), ?2, json_extract(value, '$.bytes') FROM json_each(?1) WHERE true
     ON CONFLICT DO UPDATE SET until = ?2, bytes = max(bytes, excluded.bytes)`,
    JSON.stringify(uploads),
    until,
  )
  sql.exec('INSERT INTO granted_bytes (day, bytes) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET bytes = ?2', day, bytes)
  return 'reserved'
}

/** An event names these from now on. */
export function claimObjects(sql: SqlStorage, objects: readonly (string | null)[]): void {
  sql.exec('DELETE FROM granted_objects WHERE object IN (SELECT value FROM json_each(?))', JSON.stringify(objects))
}

/** Gives up objects that were granted long ago and that no event names: what came of them is deleted. A batch at a time; answers how many. */
export function deleteUnclaimedObjects(sql: SqlStorage, now: number): number {
  const ids = sql
    .exec<{ object: string }>(`SELECT object FROM granted_objects WHERE until <= ? LIMIT ${BATCH}`, now - UNNAMED_MS)
    .toArray()
    .map(({ object }) => object)
  const objectsJson = JSON.stringify(ids)
  sql.exec('INSERT OR IGNORE INTO doomed_objects (object) SELECT value FROM json_each(?)', objectsJson)
  sql.exec('DELETE FROM granted_objects WHERE object IN (SELECT value FROM json_each(?))', objectsJson)
  sql.exec('DELETE FROM granted_bytes WHERE day < ?', Math.floor(now / DAY_MS))
  return ids.length
}
