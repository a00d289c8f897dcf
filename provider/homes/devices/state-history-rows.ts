import type { SqlStorage } from '@cloudflare/workers-types'
import type { CameraState } from '../../../contract/live/signaling.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Retention of the state history: one day longer than the longest retention of any plan. */
export const KEPT_MS = 61 * DAY_MS

type Row = { began: number; state: CameraState; reason: string }
export interface StateRun {
  from: number
  to: number
  state: CameraState
  reason: string
}

/**
 * Records that a camera entered a state at `from`. Each run lasts until the next one starts, so the history has no
 * gaps. A change from before the start of the current run replaces that run.
 */
export function recordRun(
  sql: SqlStorage,
  deviceId: string,
  run: { state: CameraState; reason: string; from: number },
): void {
  const [last, previous] = sql
    .exec<Row>(
      'SELECT began, state, reason FROM camera_state_runs WHERE device_id = ? ORDER BY began DESC LIMIT 2',
      deviceId,
    )
    .toArray()
  if (last && same(last, run)) return
  const began = Math.max(run.from, last?.began ?? 0)
  if (last?.began === began && previous && same(previous, run)) {
    sql.exec('DELETE FROM camera_state_runs WHERE device_id = ? AND began = ?', deviceId, began)
    return
  }
  sql.exec(
    'INSERT OR REPLACE INTO camera_state_runs (device_id, began, state, reason) VALUES (?, ?, ?, ?)',
    deviceId,
    began,
    run.state,
    run.reason,
  )
  sql.exec(
    `DELETE FROM camera_state_runs WHERE device_id = ?1
     AND began < (SELECT max(began) FROM camera_state_runs WHERE device_id = ?1 AND began <= ?2)`,
    deviceId,
    began - KEPT_MS,
  )
}

const same = (a: { state: string; reason: string }, b: { state: string; reason: string }) =>
  a.state === b.state && a.reason === b.reason

/**
 * Returns SQL for the time of the first event of camera `?1` that meets the condition; the condition selects one of two
 * indexes.
 */
const first = (condition: string) =>
  `SELECT * FROM (SELECT event_ts FROM events WHERE ${condition} AND device_id = ?1 ORDER BY event_ts LIMIT 1)`

/**
 * Fills the state history back to the camera's first event. Before its first recorded run, a battery-powered camera
 * counts as asleep, any other camera as awake.
 */
export function recordPast(sql: SqlStorage, deviceId: string): void {
  sql.exec(
    `INSERT INTO camera_state_runs (device_id, began, state, reason)
     SELECT device_id, began, iif(battery = 1, 'asleep', 'awake'), '' FROM devices,
       (SELECT min(event_ts) AS began FROM (${first('gone IS NULL')} UNION ALL ${first('gone IS NOT NULL')}))
     WHERE device_id = ?1
       AND began < coalesce((SELECT min(began) FROM camera_state_runs WHERE device_id = ?1), began + 1)`,
    deviceId,
  )
}

/** Returns the camera's runs clipped to the range (ms UTC), oldest first. */
export function listRuns(sql: SqlStorage, deviceId: string, begin: number, end: number): StateRun[] {
  const rows = sql.exec<Row>(
    `SELECT began, state, reason FROM camera_state_runs WHERE device_id = ?1 AND began < ?3
     AND began >= coalesce((SELECT max(began) FROM camera_state_runs WHERE device_id = ?1 AND began <= ?2), 0) ORDER BY began`,
    deviceId,
    begin,
    end,
  )
  return rows.toArray().map(({ began, state, reason }, i, all) => ({
    from: Math.max(began, begin),
    to: all[i + 1]?.began ?? end,
    state,
    reason,
  }))
}
