import type { R2Bucket, SqlStorage } from '@cloudflare/workers-types'
import { UNDO_MS } from '../../../contract/events/timeline.ts'
import {
  BATCH,
  listOrphanedObjects,
  deleteOldTombstones,
  deleteOrphanedObjectRows,
  createTombstones,
  type TombstoneBatch,
} from './tombstone-rows.ts'
import { deleteUnclaimedObjects } from '../upload-grant-rows.ts'
import type { Entitlement } from '../../billing/plans/entitlements.ts'
import { retentionCutoffs, recordRetentionPeriods } from './retention-period-rows.ts'
import { listOverLimitEvents } from './storage-limit.ts'
import { DAY_MS, HOUR_MS } from '../../../contract/time-units.ts'

/** Interval of retention steps. */
export const LOOK_MS = HOUR_MS
const LOG_MS = 90 * DAY_MS
const EXPORT_MS = DAY_MS

type Reason = 'plan' | 'space' | 'deleted'
export interface LogRow {
  at: number
  reason: Reason
  events: number
  clips: number
}

export interface RetentionContext {
  readonly sql: SqlStorage
  readonly media: R2Bucket
  readonly atomically: (work: () => void) => void
}

/**
 * Runs one retention step: at most one batch of events per deletion reason, then orphaned objects. Returns true if more
 * is due immediately; resumable after any interruption. `given`: entitlements of every camera ever registered; null
 * without an owner, and then nothing expires. `cap`: maximum bytes of all storage; null for no limit.
 */
export async function retentionStep(
  place: RetentionContext,
  home: { id: string; given: ReadonlyMap<string, Entitlement> | null; cap: number | null },
  now: number,
): Promise<boolean> {
  const { sql } = place
  const full = home.cap === null ? [] : await listOverLimitEvents(place, home, home.cap, now)
  let largestBatch = 0
  place.atomically(() => {
    const removeBatch = (tombstoneReason: 'expired' | 'purged' | 'full', limit: number | string, reason: Reason) => {
      const batch = createTombstones(sql, tombstoneReason, limit, now)
      log(sql, now, reason, batch)
      largestBatch = Math.max(largestBatch, batch.events)
    }
    removeBatch('purged', now - UNDO_MS, 'deleted')
    if (home.given !== null) {
      recordRetentionPeriods(sql, toRetentionDays(home.given), now)
      removeBatch('expired', JSON.stringify(retentionCutoffs(sql, now)), 'plan')
    }
    if (full.length > 0) removeBatch('full', JSON.stringify(full), 'space')
    deleteOldTombstones(sql, now)
    largestBatch = Math.max(largestBatch, deleteUnclaimedObjects(sql, now))
    sql.exec('DELETE FROM retention_log WHERE at < ?', now - LOG_MS)
    sql.exec('DELETE FROM exports WHERE made_at < ?', now - EXPORT_MS)
    sql.exec('UPDATE self SET looked_at = ?', now)
  })
  const { own, all } = listOrphanedObjects(sql)
  if (own.length > 0) await place.media.delete(own)
  deleteOrphanedObjectRows(sql, all)
  return largestBatch === BATCH || all.length >= 2 * BATCH
}

const toRetentionDays = (entitlements: ReadonlyMap<string, Entitlement>) =>
  new Map([...entitlements].map(([device, { keepsDays }]) => [device, keepsDays]))

function log(sql: SqlStorage, at: number, reason: Reason, { events, clips }: TombstoneBatch): void {
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

/** Returns the deletions, newest first, and the time of the last step. */
export function readRetentionLog(sql: SqlStorage): { last_run: number | null; deleted: LogRow[] } {
  const rows = sql.exec<{ looked_at: number | null }>('SELECT looked_at FROM self').toArray()
  return {
    last_run: rows[0]?.looked_at ?? null,
    deleted: sql
      .exec<LogRow & Record<string, never>>(
        'SELECT at, reason, events, clips FROM retention_log ORDER BY at DESC, reason',
      )
      .toArray(),
  }
}

/** Returns when the next step is due, ms UTC; null if the home is empty. */
export function findNextRetentionTime(sql: SqlStorage, now: number): number | null {
  const { events, undo } = sql
    .exec<{ events: number; undo: number | null }>(
      `SELECT EXISTS (SELECT 1 FROM events) OR EXISTS (SELECT 1 FROM exports) OR EXISTS (SELECT 1 FROM granted_objects) AS events,
         (SELECT min(gone_at) FROM events WHERE gone = 'deleted') AS undo`,
    )
    .one()
  if (undo !== null) return Math.max(now, Math.min(undo + UNDO_MS, now + LOOK_MS))
  return events ? now + LOOK_MS : null
}
