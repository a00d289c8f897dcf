import type { R2Bucket, SqlStorage } from '@cloudflare/workers-types'
import { EVENT_RESTORE_MS } from '../../../contract/events/timeline.ts'
import {
  BATCH_ROWS,
  deleteOldTombstones,
  createTombstones,
  type BATCH_QUERIES,
  type TombstoneBatch,
} from './tombstone-rows.ts'
import { countEndedDays } from '../day-counters.ts'
import { deleteQueuedBatches, readQueuedObjects } from '../media-object-rows.ts'
import { deleteUnclaimedObjects } from '../upload-grant-rows.ts'
import type { Env } from '../../env.ts'
import type { Entitlement } from '../../billing/plans/entitlements.ts'
import { listRetentionCutoffs, recordRetentionPeriods } from './retention-period-rows.ts'
import { recordClipLengths } from '../export/data-export-rows.ts'
import { listOverLimitEvents } from '../storage/camera-limits.ts'
import type { StorageLimit } from '../storage/storage-limit.ts'
import { listLimitedCameras, listUnmeasuredClips, recordFreedEvents } from '../storage/storage-rows.ts'
import { listEventsOverStorageLimit } from './events-over-limit.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../contract/time-units.ts'

/** Interval of the steps that delete expired events. Queries hide an event at its expiry, so its deletion can wait. */
const RETENTION_INTERVAL_MS = 6 * HOUR_MS
/** Interval while a limit of a camera or of the storage applies. Queries do not hide what exceeds such a limit. */
const LIMIT_CHECK_INTERVAL_MS = HOUR_MS
/** Interval while clips may use the whole disk of a computer. A step that finds room lists no objects. */
const DISK_CHECK_INTERVAL_MS = 5 * MINUTE_MS
const LOG_RETENTION_MS = 90 * DAY_MS
const EXPORT_RETENTION_MS = DAY_MS

/** Returns the interval of the retention steps of a home. */
export function getRetentionInterval(sql: SqlStorage, env: Pick<Env, 'DISK' | 'MEDIA_CAP_BYTES'>): number {
  if (env.DISK) return DISK_CHECK_INTERVAL_MS
  const hasLimit = Number(env.MEDIA_CAP_BYTES) > 0 || listLimitedCameras(sql).length > 0
  return hasLimit ? LIMIT_CHECK_INTERVAL_MS : RETENTION_INTERVAL_MS
}

/** Clips whose size one step reads, with one request per clip. Only clips of an earlier version have no size. */
const MEASURED_CLIPS_PER_STEP = 100

type DeletionReason = 'plan' | 'space' | 'limit' | 'deleted'
export interface RetentionLogRow {
  at: number
  reason: DeletionReason
  events: number
  clips: number
}

export interface RetentionContext {
  readonly sql: SqlStorage
  readonly media: R2Bucket
  readonly atomically: (work: () => void) => void
}

/**
 * Runs one resumable retention step: deletes one batch of events per deletion reason, then one batch of unused objects.
 * Returns true if another step is due immediately. With `entitlements` null (no owner), no event expires.
 */
export async function runRetentionStep(
  context: RetentionContext,
  home: { id: string; entitlements: ReadonlyMap<string, Entitlement> | null; limit: StorageLimit | null },
  now: number,
): Promise<boolean> {
  const { sql } = context
  const measuredClips = await measureClips(context)
  const storageEvents = await listEventsOverStorageLimit(context, home, now)
  let hasFullBatch = false
  context.atomically(() => {
    const removeBatch = (
      tombstoneBatch: keyof typeof BATCH_QUERIES,
      limit: number | string,
      reason: DeletionReason,
    ) => {
      const batch = createTombstones(sql, tombstoneBatch, limit, now)
      logDeletions(sql, now, reason, batch)
      if (batch.events === BATCH_ROWS) hasFullBatch = true
    }
    removeBatch('purged', now - EVENT_RESTORE_MS, 'deleted')
    if (home.entitlements !== null) {
      recordRetentionPeriods(sql, toRetentionDays(home.entitlements), now)
      removeBatch('expired', JSON.stringify(listRetentionCutoffs(sql, now)), 'plan')
    }
    const overLimit = listOverLimitEvents(sql, now)
    if (overLimit.aged.length > 0) removeBatch('limit', JSON.stringify(overLimit.aged), 'limit')
    for (const { deleted, crowded } of [overLimit, storageEvents]) {
      if (deleted.length > 0) removeBatch('deleted', JSON.stringify(deleted), 'deleted')
      if (crowded.length === 0) continue
      recordFreedEvents(sql, crowded)
      removeBatch('full', JSON.stringify(crowded), 'space')
    }
    if (deleteOldTombstones(sql, now)) hasFullBatch = true
    deleteUnclaimedObjects(sql, readLastRun(sql) ?? 0, now)
    countEndedDays(sql, now)
    sql.exec('DELETE FROM retention_log WHERE at < ?', now - LOG_RETENTION_MS)
    sql.exec('DELETE FROM exports WHERE made_at <= ?', now - EXPORT_RETENTION_MS)
    sql.exec('UPDATE self SET looked_at = ?', now)
  })
  const { unused, lastBatch, hasMore } = readQueuedObjects(sql)
  if (unused.length > 0) await context.media.delete([...unused])
  if (lastBatch !== null) deleteQueuedBatches(sql, lastBatch)
  return hasMore || hasFullBatch || measuredClips === MEASURED_CLIPS_PER_STEP
}

/** Reads the sizes of clips without a known size. Returns their number. */
async function measureClips({ sql, media }: RetentionContext): Promise<number> {
  const keys = listUnmeasuredClips(sql, MEASURED_CLIPS_PER_STEP)
  const sizes = await Promise.all(keys.map(async (key) => ({ key, size: (await media.head(key))?.size ?? 0 })))
  if (sizes.length > 0) recordClipLengths(sql, sizes)
  return sizes.length
}

const toRetentionDays = (entitlements: ReadonlyMap<string, Entitlement>) =>
  new Map([...entitlements].map(([device, { keepsDays }]) => [device, keepsDays]))

function logDeletions(sql: SqlStorage, at: number, reason: DeletionReason, { events, clips }: TombstoneBatch): void {
  if (events === 0) return
  // On a full disk, every step deletes events. One row per hour bounds the log.
  const loggedAt = reason === 'space' || reason === 'limit' ? at - (at % HOUR_MS) : at
  sql.exec(
    `INSERT INTO retention_log (at, reason, events, clips) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT DO UPDATE SET events = events + ?3, clips = clips + ?4`,
    loggedAt,
    reason,
    events,
    clips,
  )
}

/** Returns the time of the last retention step, ms UTC; null for none. */
const readLastRun = (sql: SqlStorage): number | null =>
  sql.exec<{ looked_at: number | null }>('SELECT looked_at FROM self').toArray()[0]?.looked_at ?? null

/** Returns the logged deletions, newest first, and the time of the last retention step (ms UTC; null for none). */
export function readRetentionLog(sql: SqlStorage): { last_run: number | null; deleted: RetentionLogRow[] } {
  return {
    last_run: readLastRun(sql),
    deleted: sql
      .exec<RetentionLogRow & Record<string, never>>(
        'SELECT at, reason, events, clips FROM retention_log ORDER BY at DESC, reason',
      )
      .toArray(),
  }
}

/**
 * Returns the time of the next retention step, ms UTC: after `intervalMs`, or when an archive or the time to undo a
 * deletion ends. Returns null if the home has no events, archives or upload grants.
 */
export function findNextRetentionTime(sql: SqlStorage, now: number, intervalMs: number): number | null {
  const { hasData, deletedAt, archivedAt } = sql
    .exec<{ hasData: number; deletedAt: number | null; archivedAt: number | null }>(
      `SELECT EXISTS (SELECT 1 FROM events) OR EXISTS (SELECT 1 FROM exports) OR EXISTS (SELECT 1 FROM upload_batches) AS hasData,
         (SELECT min(gone_at) FROM events WHERE gone = 'deleted') AS deletedAt, (SELECT min(made_at) FROM exports) AS archivedAt`,
    )
    .one()
  if (hasData === 0) return null
  const undoEnd = deletedAt === null ? Infinity : deletedAt + EVENT_RESTORE_MS
  const archiveEnd = archivedAt === null ? Infinity : archivedAt + EXPORT_RETENTION_MS
  return Math.max(now, Math.min(undoEnd, archiveEnd, now + intervalMs))
}
