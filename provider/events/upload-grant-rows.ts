import type { SqlStorage } from '@cloudflare/workers-types'
import { listUnusedObjects, queueObjectDeletion } from './media-object-rows.ts'
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
/** Maximum grants per batch. Each grant writes one row, which contains all grants of its batch. */
const MAX_GRANTS_PER_BATCH = 50

/**
 * Schema step that stores the upload grants of a UTC day in batches, so that a grant writes one row and its use none.
 */
export const UPLOAD_BATCHES_SCHEMA_STEP = `
  /* day_bytes: granted bytes of the day, including earlier batches; grants: JSON, [length, end in ms UTC] by key. */
  CREATE TABLE upload_batches (
    batch INTEGER PRIMARY KEY,
    day INTEGER NOT NULL,
    day_bytes INTEGER NOT NULL,
    grants TEXT NOT NULL
  );
  INSERT INTO upload_batches (day, day_bytes, grants) SELECT 0, 0, json_group_object(object, json_array(bytes, until)) FROM (
    SELECT *, (row_number() OVER (ORDER BY object) - 1) / ${MAX_GRANTS_PER_BATCH} AS part FROM granted_objects
  ) GROUP BY part;
  INSERT INTO upload_batches (day, day_bytes, grants) SELECT day, bytes, '{}' FROM granted_bytes ORDER BY day DESC LIMIT 1;
  DROP TABLE granted_objects;
  DROP TABLE granted_bytes;
`

export interface RequestedUpload {
  readonly object: string
  readonly bytes: number
}

type Grants = Record<string, [bytes: number, until: number]>
interface Batch {
  readonly batch: number
  readonly day: number
  readonly dayBytes: number
  readonly grants: Grants
}

function readBatches(sql: SqlStorage): Batch[] {
  return sql
    .exec<{ batch: number; day: number; day_bytes: number; grants: string }>(
      'SELECT batch, day, day_bytes, grants FROM upload_batches ORDER BY batch',
    )
    .toArray()
    .map(({ day_bytes, grants, ...row }) => ({ ...row, dayBytes: day_bytes, grants: JSON.parse(grants) as Grants }))
}

/** Returns the latest grant of each object. */
const mergeGrants = (batches: readonly Batch[]): Map<string, [bytes: number, until: number]> =>
  new Map(batches.flatMap(({ grants }) => Object.entries(grants)))

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
  let batches = readBatches(sql)
  const countGrants = () => {
    const granted = mergeGrants(batches)
    const newUploads = uploads.filter(({ object }) => !granted.has(object))
    return newUploads.length > 0 ? granted.size + newUploads.length : 0
  }
  if (countGrants() > MAX_PENDING_UPLOADS) {
    removeSettledGrants(sql, batches, now)
    batches = readBatches(sql)
    if (countGrants() > MAX_PENDING_UPLOADS) return 'many'
  }
  const granted = mergeGrants(batches)
  const day = Math.floor(now / DAY_MS)
  const last = batches.at(-1)
  let dayBytes = last?.day === day ? last.dayBytes : 0
  const grants: Grants = {}
  for (const { object, bytes } of uploads) {
    const earlierBytes = grants[object]?.[0] ?? granted.get(object)?.[0] ?? 0
    dayBytes += Math.max(0, bytes - earlierBytes)
    grants[object] = [Math.max(bytes, earlierBytes), until]
  }
  if (dayBytes > MAX_BYTES_PER_DAY) return 'much'
  const merged = { ...last?.grants, ...grants }
  const isOpen = last?.day === day && Object.keys(merged).length <= MAX_GRANTS_PER_BATCH
  sql.exec(
    'INSERT OR REPLACE INTO upload_batches (batch, day, day_bytes, grants) VALUES (?, ?, ?, ?)',
    isOpen ? last.batch : (last?.batch ?? 0) + 1,
    day,
    dayBytes,
    JSON.stringify(isOpen ? merged : grants),
  )
  return 'reserved'
}

/** Returns a filter for the objects whose grants expired at least `UNCLAIMED_DELETION_DELAY_MS` ago. */
function createDueFilter(granted: ReturnType<typeof mergeGrants>, now: number, since = -Infinity) {
  return (object: string) => {
    const dueAt = (granted.get(object)?.[1] ?? 0) + UNCLAIMED_DELETION_DELAY_MS
    return dueAt <= now && dueAt > since
  }
}

/** Removes the grants of objects that an event uses, and the expired grants, whose objects it queues for deletion. */
function removeSettledGrants(sql: SqlStorage, batches: readonly Batch[], now: number): void {
  const granted = mergeGrants(batches)
  const isDue = createDueFilter(granted, now)
  const unused = listUnusedObjects(sql, [...granted.keys()])
  queueObjectDeletion(sql, unused.filter(isDue))
  const pending = new Set(unused.filter((object) => !isDue(object)))
  for (const { batch, grants } of batches) {
    const rest = Object.entries(grants).filter(([object]) => pending.has(object))
    if (rest.length === Object.keys(grants).length) continue
    sql.exec('UPDATE upload_batches SET grants = ? WHERE batch = ?', JSON.stringify(Object.fromEntries(rest)), batch)
  }
}

/**
 * Queues the unused objects for deletion whose grants expired at least `UNCLAIMED_DELETION_DELAY_MS` ago, and deletes
 * batches without other grants. `lastStep`: time of the previous call, ms UTC. Objects that it queued are queued again
 * only when their batch is deleted.
 */
export function deleteUnclaimedObjects(sql: SqlStorage, lastStep: number, now: number): void {
  const batches = readBatches(sql)
  const granted = mergeGrants(batches)
  const isDue = createDueFilter(granted, now)
  const today = Math.floor(now / DAY_MS)
  // The newest batch of a day stays, because it contains the granted bytes of the day.
  const ended = batches.filter(
    ({ day, grants }, i) => (i < batches.length - 1 || day < today) && Object.keys(grants).every(isDue),
  )
  const due = new Set(ended.flatMap(({ grants }) => Object.keys(grants)))
  const isNewlyDue = createDueFilter(granted, now, lastStep)
  for (const object of granted.keys()) if (isNewlyDue(object)) due.add(object)
  queueObjectDeletion(sql, listUnusedObjects(sql, [...due]))
  for (const { batch } of ended) sql.exec('DELETE FROM upload_batches WHERE batch = ?', batch)
}
