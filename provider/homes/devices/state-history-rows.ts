import type { CameraState } from '../../../contract/cameras/devices.ts'
import type { SqlStorage } from '@cloudflare/workers-types'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Retention of the state history: one day longer than the longest retention of any plan. */
export const STATE_HISTORY_MS = 61 * DAY_MS

type StateRow = { began: number; state: CameraState; reason: string }
export interface StateRun {
  from: number
  to: number
  state: CameraState
  reason: string
}

/**
 * Records that a camera entered a state at `from` (ms UTC). The state lasts until the next record. A change at or
 * before the start of the current run replaces that run.
 */
export function recordStateRun(
  sql: SqlStorage,
  deviceId: string,
  run: { state: CameraState; reason: string; from: number },
): void {
  const [last, previous] = sql
    .exec<StateRow>(
      'SELECT began, state, reason FROM camera_state_runs WHERE device_id = ? ORDER BY began DESC LIMIT 2',
      deviceId,
    )
    .toArray()
  if (last && isSameState(last, run)) return
  const began = Math.max(run.from, last?.began ?? 0)
  if (last?.began === began && previous && isSameState(previous, run)) {
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
    began - STATE_HISTORY_MS,
  )
}

/** Moves the start of the camera's current run, if its state is `state`, to a later time `from`, ms UTC. */
export function moveRunStart(sql: SqlStorage, deviceId: string, state: CameraState, from: number): void {
  sql.exec(
    `UPDATE camera_state_runs SET began = ?3 WHERE device_id = ?1 AND state = ?2 AND began < ?3
     AND began = (SELECT max(began) FROM camera_state_runs WHERE device_id = ?1)`,
    deviceId,
    state,
    from,
  )
}

const isSameState = (a: { state: string; reason: string }, b: { state: string; reason: string }) =>
  a.state === b.state && a.reason === b.reason

/**
 * Returns SQL for the time of the first event of camera `?1` that meets `condition`. `condition` selects one of two
 * indexes: listed events or tombstones.
 */
const firstEventSql = (condition: string) =>
  `SELECT * FROM (SELECT event_ts FROM events WHERE ${condition} AND device_id = ?1 ORDER BY event_ts LIMIT 1)`

/**
 * Extends the state history back to the camera's first event. The added state is `asleep` for a battery-powered camera,
 * otherwise `awake`.
 */
export function backfillStateHistory(sql: SqlStorage, deviceId: string): void {
  sql.exec(
    `INSERT INTO camera_state_runs (device_id, began, state, reason)
     SELECT device_id, began, iif(battery = 1, 'asleep', 'awake'), '' FROM devices,
       (SELECT min(event_ts) AS began FROM (${firstEventSql('gone IS NULL')} UNION ALL ${firstEventSql('gone IS NOT NULL')}))
     WHERE device_id = ?1
       AND began < coalesce((SELECT min(began) FROM camera_state_runs WHERE device_id = ?1), began + 1)`,
    deviceId,
  )
}

/** Returns the state runs of the camera, clipped to the range (ms UTC), oldest first. */
export function listStateRuns(sql: SqlStorage, deviceId: string, begin: number, end: number): StateRun[] {
  const rows = sql.exec<StateRow>(
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
