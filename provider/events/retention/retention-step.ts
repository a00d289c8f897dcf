import type { R2Bucket, SqlStorage } from '@cloudflare/workers-types'
import { EVENT_RESTORE_MS } from '../../../contract/events/timeline.ts'
import {
  BATCH_ROWS,
  listOrphanedObjects,
  deleteOldTombstones,
  deleteOrphanedObjectRows,
  createTombstones,
  type TombstoneBatch,
} from './tombstone-rows.ts'
import { deleteUnclaimedObjects } from '../upload-grant-rows.ts'
import type { Entitlement } from '../../billing/plans/entitlements.ts'
import { listRetentionCutoffs, recordRetentionPeriods } from './retention-period-rows.ts'
import { listOverLimitEvents } from './storage-limit.ts'
import { DAY_MS, HOUR_MS } from '../../../contract/time-units.ts'

export const RETENTION_INTERVAL_MS = HOUR_MS
const LOG_RETENTION_MS = 90 * DAY_MS
const EXPORT_RETENTION_MS = DAY_MS

type DeletionReason = 'plan' | 'space' | 'deleted'
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
  home: { id: string; entitlements: ReadonlyMap<string, Entitlement> | null; limitBytes: number | null },
  now: number,
): Promise<boolean> {
  const { sql } = context
  const overLimitIds = home.limitBytes === null ? [] : await listOverLimitEvents(context, home, home.limitBytes, now)
  let largestBatch = 0
  context.atomically(() => {
    const removeBatch = (
      tombstoneReason: 'expired' | 'purged' | 'full',
      limit: number | string,
      reason: DeletionReason,
    ) => {
      const batch = createTombstones(sql, tombstoneReason, limit, now)
      logDeletions(sql, now, reason, batch)
      largestBatch = Math.max(largestBatch, batch.events)
    }
    removeBatch('purged', now - EVENT_RESTORE_MS, 'deleted')
    if (home.entitlements !== null) {
      recordRetentionPeriods(sql, toRetentionDays(home.entitlements), now)
      removeBatch('expired', JSON.stringify(listRetentionCutoffs(sql, now)), 'plan')
    }
    if (overLimitIds.length > 0) removeBatch('full', JSON.stringify(overLimitIds), 'space')
    deleteOldTombstones(sql, now)
    largestBatch = Math.max(largestBatch, deleteUnclaimedObjects(sql, now))
    sql.exec('DELETE FROM retention_log WHERE at < ?', now - LOG_RETENTION_MS)
    sql.exec('DELETE FROM exports WHERE made_at < ?', now - EXPORT_RETENTION_MS)
    sql.exec('UPDATE self SET looked_at = ?', now)
  })
  const { own, all } = listOrphanedObjects(sql)
  if (own.length > 0) await context.media.delete(own)
  deleteOrphanedObjectRows(sql, all)
  return largestBatch === BATCH_ROWS || all.length >= 2 * BATCH_ROWS
}

const toRetentionDays = (entitlements: ReadonlyMap<string, Entitlement>) =>
  new Map([...entitlements].map(([device, { keepsDays }]) => [device, keepsDays]))

function logDeletions(sql: SqlStorage, at: number, reason: DeletionReason, { events, clips }: TombstoneBatch): void {
  if (events === 0) return
  sql.exec(
    `INSERT INTO retention_log (at, reason, events, clips) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT DO UPDATE SET events = events + ?3, clips = clips + ?4`,
    at,
    reason,
    events,
    clips,
  )
}

/** Returns the logged deletions, newest first, and the time of the last retention step (ms UTC; null for none). */
export function readRetentionLog(sql: SqlStorage): { last_run: number | null; deleted: RetentionLogRow[] } {
  const rows = sql.exec<{ looked_at: number | null }>('SELECT looked_at FROM self').toArray()
  return {
    last_run: rows[0]?.looked_at ?? null,
    deleted: sql
      .exec<RetentionLogRow & Record<string, never>>(
        'SELECT at, reason, events, clips FROM retention_log ORDER BY at DESC, reason',
      )
      .toArray(),
  }
}

/** Returns the time of the next retention step, ms UTC; null if the home has no events, exports or upload grants. */
export function findNextRetentionTime(sql: SqlStorage, now: number): number | null {
  const { events, undo } = sql
    .exec<{ events: number; undo: number | null }>(
      `SELECT EXISTS (SELECT 1 FROM events) OR EXISTS (SELECT 1 FROM exports) OR EXISTS (SELECT 1 FROM granted_objects) AS events,
         (SELECT min(gone_at) FROM events WHERE gone = 'deleted') AS undo`,
    )
    .one()
  if (undo !== null) return Math.max(now, Math.min(undo + EVENT_RESTORE_MS, now + RETENTION_INTERVAL_MS))
  return events ? now + RETENTION_INTERVAL_MS : null
}
