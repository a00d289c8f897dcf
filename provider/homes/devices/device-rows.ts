import type { SqlStorage } from '@cloudflare/workers-types'
import { lenientSettings } from '../../../contract/bridge/parse-bridge-messages.ts'
import { type RegisterCameraRequest, type WelcomeCamera } from '../../../contract/bridge/bridge-protocol.ts'
import { type CameraSettings, DEFAULT_CAMERA_SETTINGS } from '../../../contract/cameras/camera-settings.ts'
import type { CameraState, WireDevice } from '../../../contract/cameras/devices.ts'
import type { LiveStream } from '../../../contract/live/live-calls.ts'
import { parseJsonAs, lenientStrings } from '../../../contract/wire/lenient-parse.ts'
import type { Entitlement } from '../../billing/plans/entitlements.ts'

type DeviceRow = {
  device_id: string
  bridge_id: string
  nickname: string
  model: string
  position: number
  provider: 'kvs' | 'lake'
  renditions: string
  dual: number
  audio: number
  battery: number
  firmware: string | null
  state: CameraState | 'unknown'
  reason: string
  since: number
  last_picture: number
  power: number
  rendition: string | null
  pip: number
  settings: string | null
  places: string | null
}

export interface CameraStateChange {
  device_id: string
  state: CameraState
  reason: string
  since: number
  /**
   * Start of this state in the state history, ms UTC. May be in the past only if the history has no other state since
   * then.
   */
  from: number
}

/** SQL sort order of cameras. The position that the owner set overrides the position from the bridge. */
const ORDER_SQL = 'coalesce(own_position, position), device_id'

export function listDeviceRows(sql: SqlStorage): DeviceRow[] {
  const rows = sql.exec<DeviceRow>(
    `SELECT *, coalesce(own_name, nickname) AS nickname, coalesce(own_position, position) AS position
     FROM devices WHERE removed_at IS NULL ORDER BY ${ORDER_SQL}`,
  )
  return rows.toArray()
}

/**
 * Registers or updates a camera. A removed camera gets its events back. Returns false if nothing changed, which is
 * usual, because bridges register all cameras at every start.
 */
export function putDevice(
  sql: SqlStorage,
  bridgeId: string,
  deviceId: string,
  camera: RegisterCameraRequest,
  now: number,
): boolean {
  const written = sql.exec(
    `INSERT INTO devices (device_id, bridge_id, nickname, model, position, provider, renditions, dual, audio, battery, firmware,
       state, reason, since) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'unknown', '', ?12)
     ON CONFLICT DO UPDATE SET bridge_id = ?2, nickname = ?3, model = ?4, position = ?5, provider = ?6, renditions = ?7, dual = ?8,
       audio = ?9, battery = ?10, firmware = ?11, removed_at = NULL
     WHERE (bridge_id, nickname, model, position, provider, renditions, dual, audio, battery, firmware, removed_at)
       IS NOT (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, NULL)`,
    deviceId,
    bridgeId,
    camera.nickname,
    camera.device_model,
    camera.device_order,
    camera.provider,
    JSON.stringify(camera.renditions),
    camera.dual ? 1 : 0,
    camera.audio ? 1 : 0,
    camera.battery ? 1 : 0,
    camera.firmware_version ?? null,
    now,
  )
  return written.rowsWritten > 0
}

/**
 * Removes a camera from the list. Deletes its areas, because the camera may look at other areas after it returns. Its
 * events stay hidden until they expire or the camera is registered again.
 */
export function hideDevice(sql: SqlStorage, deviceId: string, now: number): void {
  sql.exec('UPDATE devices SET removed_at = ?, places = NULL WHERE device_id = ? AND removed_at IS NULL', now, deviceId)
}

/** Sets the state of a camera. Returns false if the camera is not in this home or nothing changed. */
export function setDeviceState(sql: SqlStorage, change: Omit<CameraStateChange, 'from'>): boolean {
  const { device_id, state, reason, since } = change
  return (
    sql.exec(
      `UPDATE devices SET state = ?1, reason = ?2, since = ?3
       WHERE device_id = ?4 AND removed_at IS NULL AND (state <> ?1 OR reason <> ?2)`,
      state,
      reason,
      since,
      device_id,
    ).rowsWritten > 0
  )
}

export function moveStateStart(sql: SqlStorage, deviceId: string, state: CameraState, from: number): void {
  sql.exec(
    'UPDATE devices SET since = ?3 WHERE device_id = ?1 AND state = ?2 AND since < ?3 AND removed_at IS NULL',
    deviceId,
    state,
    from,
  )
}

export function setLastPicture(sql: SqlStorage, deviceId: string): void {
  sql.exec('UPDATE devices SET last_picture = 1 WHERE device_id = ? AND last_picture = 0', deviceId)
}

/**
 * Returns SQL for the time (ms UTC) of a camera's latest event, or 0. `condition` selects one of two indexes: listed
 * events or tombstones.
 */
const latestEventSql = (condition: string) =>
  `coalesce((SELECT max(event_ts) FROM events WHERE ${condition} AND events.device_id = devices.device_id), 0)`

export function listBridgeCameras(sql: SqlStorage, bridgeId: string): WelcomeCamera[] {
  const rows = sql.exec<DeviceRow & { last_event_ts: number | null }>(
    `SELECT *, coalesce(own_name, nickname) AS nickname,
       nullif(max(${latestEventSql('gone IS NULL')}, ${latestEventSql('gone IS NOT NULL')}), 0) AS last_event_ts
     FROM devices WHERE bridge_id = ? AND removed_at IS NULL ORDER BY ${ORDER_SQL}`,
    bridgeId,
  )
  return rows.toArray().map((row) => ({
    device_id: row.device_id,
    nickname: row.nickname,
    last_event_ts: row.last_event_ts,
    power: row.power === 1,
    rendition: row.rendition,
    pip: row.pip === 1,
    settings: parseSettings(row.settings),
  }))
}

/** Parses stored settings of any version. */
export function parseSettings(json: string | null): CameraSettings {
  return parseJsonAs(lenientSettings, json) ?? DEFAULT_CAMERA_SETTINGS
}

/** Returns true if the camera has live video. Some devices of the camera category do not. */
export const hasRenditions = ({ renditions }: Pick<DeviceRow, 'renditions'>): boolean => renditions !== '[]'

const OFFLINE_STATES: ReadonlySet<string> = new Set(['offline', 'bridge_off', 'unknown'])

/** Returns the ids of all cameras ever registered. Events of removed cameras are still stored. */
export function listAllDeviceIds(sql: SqlStorage): string[] {
  const rows = sql.exec<{ device_id: string }>('SELECT device_id FROM devices')
  return rows.toArray().map((row) => row.device_id)
}

/** Returns the names of all cameras ever registered, including removed ones. */
export function listAllDeviceNames(sql: SqlStorage): { device_id: string; nickname: string }[] {
  return sql
    .exec<{ device_id: string; nickname: string }>(
      'SELECT device_id, coalesce(own_name, nickname) AS nickname FROM devices',
    )
    .toArray()
}

/** Converts a camera to its form in the home device list (CALL-28). `role`: role of the account in the home. */
export function toWireDevice(row: DeviceRow, role: number, entitlement: Entitlement, portalOrigin: string): WireDevice {
  return {
    device_id: row.device_id,
    device_model: row.model,
    nickname: row.nickname,
    device_order: row.position,
    role,
    device_category: 'camera',
    covered: entitlement.plan !== null,
    keeps_days: entitlement.keepsDays,
    property: {
      'iot-state': OFFLINE_STATES.has(row.state) ? 0 : 1,
      'iot-power': row.power && row.state !== 'switched_off' ? 1 : 0,
    },
    device_param: {
      ...(row.last_picture ? { thumbnail_url: `${portalOrigin}/m/last/${row.device_id}` } : {}),
      ...(row.firmware === null ? {} : { firmware_version: row.firmware }),
      p2p_providers: hasRenditions(row) ? [row.provider] : [],
    },
    state: row.state,
    state_reason: row.reason,
    state_since: row.since,
  }
}

export type StreamInfo = Omit<LiveStream, 'signalling_url' | 'ice_servers'>

export function toStreamInfo(row: DeviceRow): StreamInfo {
  const renditions = parseJsonAs(lenientStrings, row.renditions) ?? []
  return {
    device_id: row.device_id,
    provider: row.provider,
    renditions,
    dual: row.dual === 1,
    audio: row.audio === 1,
    battery: row.battery === 1,
    ...(row.rendition !== null && renditions.includes(row.rendition) ? { rendition: row.rendition } : {}),
  }
}
