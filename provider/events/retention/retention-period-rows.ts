import type { SqlStorage } from '@cloudflare/workers-types'
import { DAY_MS } from '../../../contract/time-units.ts'

/**
 * Soft-delete window. Events past the retention of the plan stay hidden this long, so that a new subscription can show
 * them again.
 */
export const SOFT_DELETE_PERIOD_MS = 14 * DAY_MS

/**
 * Records the retention period of each camera, in days, if it has changed. Deletes periods that ended at least
 * `SOFT_DELETE_PERIOD_MS` ago.
 */
export function recordRetentionPeriods(sql: SqlStorage, daysByDevice: ReadonlyMap<string, number>, now: number): void {
  for (const [device, days] of daysByDevice) {
    sql.exec(
      `INSERT OR REPLACE INTO keeping (device_id, began, days) SELECT ?1, ?2, ?3
       WHERE ?3 IS NOT (SELECT days FROM keeping WHERE device_id = ?1 ORDER BY began DESC LIMIT 1)`,
      device,
      now,
      days,
    )
  }
  sql.exec(
    `DELETE FROM keeping WHERE EXISTS (SELECT 1 FROM keeping AS later
       WHERE later.device_id = keeping.device_id AND later.began > keeping.began AND later.began <= ?)`,
    now - SOFT_DELETE_PERIOD_MS,
  )
}

/**
 * Returns the cutoff of each camera, ms UTC: events before the cutoff were not visible at any time in the last
 * `SOFT_DELETE_PERIOD_MS`. Omits cameras without a retention history of this length.
 */
export function listRetentionCutoffs(sql: SqlStorage, now: number): [device: string, floor: number][] {
  const rows = sql.exec<{ device_id: string; floor: number }>(
    `SELECT device_id, min(max(began, ?1) - days * ${DAY_MS}) AS floor FROM keeping GROUP BY device_id HAVING min(began) <= ?1`,
    now - SOFT_DELETE_PERIOD_MS,
  )
  return rows.toArray().map(({ device_id, floor }) => [device_id, floor])
}
