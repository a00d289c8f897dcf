import type { SqlStorage } from '@cloudflare/workers-types'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Soft-delete window: events outside the plan's retention stay hidden this long in case of a new subscription. */
export const SOFT_DELETE_MS = 14 * DAY_MS

/** Records the retention days of each camera if they have changed. */
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
    now - SOFT_DELETE_MS,
  )
}

/**
 * Returns per camera the time (ms UTC) before which no recording was visible at any moment of the last
 * `SOFT_DELETE_MS`. Omits cameras whose retention is not known for that long.
 */
export function retentionCutoffs(sql: SqlStorage, now: number): [device: string, floor: number][] {
  const rows = sql.exec<{ device_id: string; floor: number }>(
    `SELECT device_id, min(max(began, ?1) - days * ${DAY_MS}) AS floor FROM keeping GROUP BY device_id HAVING min(began) <= ?1`,
    now - SOFT_DELETE_MS,
  )
  return rows.toArray().map(({ device_id, floor }) => [device_id, floor])
}
