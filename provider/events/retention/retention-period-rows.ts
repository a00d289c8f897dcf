import type { SqlStorage } from '@cloudflare/workers-types'

const DAY_MS = 86_400_000
/** How long what a plan does not keep stays stored, unseen, so that a plan that is bought again brings it back. */
export const SOFT_DELETE_MS = 14 * DAY_MS

/** Notes how many days each camera keeps what it records, where that has changed. */
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
 * Cameras with the time, ms UTC, before which nothing that they recorded was shown at any moment of the last `GRACE_MS`. A
 * camera whose keeping is not known for so long is left out: nobody can say what it showed before.
 */
export function retentionCutoffs(sql: SqlStorage, now: number): [device: string, floor: number][] {
  const rows = sql.exec<{ device_id: string; floor: number }>(
    `SELECT device_id, min(max(began, ?1) - days * ${DAY_MS}) AS floor FROM keeping GROUP BY device_id HAVING min(began) <= ?1`,
    now - SOFT_DELETE_MS,
  )
  return rows.toArray().map(({ device_id, floor }) => [device_id, floor])
}
