import type { SqlStorage } from '@cloudflare/workers-types'
import { BATCH_ROWS } from './retention/tombstone-rows.ts'
import { DAY_MS, HOUR_MS } from '../../contract/time-units.ts'

/** Maximum pending uploads per home: enough for many cameras after a day without a connection. */
const MAX_PENDING_UPLOADS = 2000
/** Maximum bytes that a home uploads per UTC day: enough for 64 cameras that record half of the time. */
const MAX_BYTES_PER_DAY = 1e12
/**
 * Delay from the expiry of a grant to the deletion of its unused object. A bridge that still has the recording uploads
 * it again.
 */
const UNCLAIMED_DELETION_DELAY_MS = HOUR_MS

export interface RequestedUpload {
  readonly object: string
  readonly bytes: number
}

/**
 * Grants all uploads until `until` (ms UTC), or none. An object with an earlier grant counts only with its additional
 * bytes. Returns `many` above `MAX_PENDING_UPLOADS`, and `much` above `MAX_BYTES_PER_DAY`.
 */
export function reserveUploads(
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
  const grantedBytes = new Map(stored.map(({ object, bytes }) => [object, bytes]))
  const newUploads = uploads.filter(({ object }) => !grantedBytes.has(object))
  const { open: pending } = sql.exec<{ open: number }>('SELECT count(*) AS open FROM granted_objects').one()
  if (newUploads.length > 0 && pending + newUploads.length > MAX_PENDING_UPLOADS) return 'many'
  const day = Math.floor(now / DAY_MS)
  const grantedToday = sql.exec<{ bytes: number }>('SELECT bytes FROM granted_bytes WHERE day = ?', day).toArray()[0]
  const bytes =
    (grantedToday?.bytes ?? 0) +
    uploads.reduce((sum, upload) => sum + Math.max(0, upload.bytes - (grantedBytes.get(upload.object) ?? 0)), 0)
  if (bytes > MAX_BYTES_PER_DAY) return 'much'
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

/** Removes the upload grants of objects that an event now uses, and records the sizes of its clips. */
export function claimObjects(sql: SqlStorage, objects: readonly (string | null)[]): void {
  const objectsJson = JSON.stringify(objects)
  sql.exec(
    `UPDATE events SET clip_bytes = granted.bytes
     FROM (SELECT object, bytes FROM granted_objects WHERE object IN (SELECT value FROM json_each(?))) AS granted
     WHERE clip_object = granted.object AND clip_bytes IS NULL`,
    objectsJson,
  )
  sql.exec('DELETE FROM granted_objects WHERE object IN (SELECT value FROM json_each(?))', objectsJson)
}

/**
 * Deletes a batch of grants that expired at least `UNCLAIMED_DELETION_DELAY_MS` ago, and queues their objects for
 * deletion. Returns the number of grants.
 */
export function deleteUnclaimedObjects(sql: SqlStorage, now: number): number {
  const ids = sql
    .exec<{ object: string }>(
      `SELECT object FROM granted_objects WHERE until <= ? LIMIT ${BATCH_ROWS}`,
      now - UNCLAIMED_DELETION_DELAY_MS,
    )
    .toArray()
    .map(({ object }) => object)
  const objectsJson = JSON.stringify(ids)
  sql.exec('INSERT OR IGNORE INTO doomed_objects (object) SELECT value FROM json_each(?)', objectsJson)
  sql.exec('DELETE FROM granted_objects WHERE object IN (SELECT value FROM json_each(?))', objectsJson)
  sql.exec('DELETE FROM granted_bytes WHERE day < ?', Math.floor(now / DAY_MS))
  return ids.length
}
