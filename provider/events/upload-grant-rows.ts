import type { SqlStorage } from '@cloudflare/workers-types'
import { BATCH } from './retention/tombstone-rows.ts'
import { DAY_MS, HOUR_MS } from '../../contract/time-units.ts'

/** Maximum pending uploads of a home: one day offline with many cameras. */
const OPEN_MAX = 2000
/** Maximum bytes that a home uploads per UTC day: 64 cameras that record half of the time. */
const DAY_BYTES = 1e12
/**
 * Delay, ms, after a grant expires before an object without an event is deleted. The bridge uploads the object again if
 * it still has the recording.
 */
const UNNAMED_MS = HOUR_MS

export interface RequestedUpload {
  readonly object: string
  readonly bytes: number
}

/**
 * Grants uploads until `until`. If an object was granted before, only its additional bytes count. Returns `many` if too
 * many objects are pending, `much` if the bytes exceed the limit of a day. Times in ms UTC.
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

/** Removes the grants of objects that an event now uses. */
export function claimObjects(sql: SqlStorage, objects: readonly (string | null)[]): void {
  sql.exec('DELETE FROM granted_objects WHERE object IN (SELECT value FROM json_each(?))', JSON.stringify(objects))
}

/** Deletes a batch of long expired grants, and the objects uploaded with them. Returns the number of grants. */
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
