import type { SqlStorage } from '@cloudflare/workers-types'
import type { CameraSettings } from '../../../contract/cameras/camera-settings.ts'
import { parseSettings } from './device-rows.ts'

export function setPower(sql: SqlStorage, deviceId: string, on: boolean): void {
  sql.exec('UPDATE devices SET power = ? WHERE device_id = ?', on ? 1 : 0, deviceId)
}

/** Stores the selected rendition. Returns false if the camera does not have it. */
export function storeRendition(sql: SqlStorage, deviceId: string, name: string): boolean {
  const written = sql.exec(
    'UPDATE devices SET rendition = ?1 WHERE device_id = ?2 AND ?1 IN (SELECT value FROM json_each(renditions))',
    name,
    deviceId,
  )
  return written.rowsWritten > 0
}

/**
 * Swaps the two views of a dual-lens camera. Returns true if the views are now swapped, false if they are in their
 * original order again, and null if the camera is unknown or has one lens.
 */
export function swapLenses(sql: SqlStorage, deviceId: string): boolean | null {
  const rows = sql.exec<{ pip: number }>(
    'UPDATE devices SET pip = 1 - pip WHERE device_id = ? AND dual = 1 RETURNING pip',
    deviceId,
  )
  const row = rows.toArray()[0]
  return row ? row.pip === 1 : null
}

export function readCameraSettings(sql: SqlStorage, deviceId: string): CameraSettings {
  const rows = sql.exec<{ settings: string | null }>('SELECT settings FROM devices WHERE device_id = ?', deviceId)
  return parseSettings(rows.toArray()[0]?.settings ?? null)
}

export function writeSettings(sql: SqlStorage, deviceId: string, settings: CameraSettings): void {
  sql.exec('UPDATE devices SET settings = ? WHERE device_id = ?', JSON.stringify(settings), deviceId)
}

export function renameDevice(sql: SqlStorage, deviceId: string, nickname: string): void {
  sql.exec('UPDATE devices SET own_name = ? WHERE device_id = ?', nickname, deviceId)
}

/**
 * Stores a new order of the cameras in `all`: first the cameras in `ids`, then the others in the order of `all`.
 * Ignores ids that are not in `all`.
 */
export function orderDevices(sql: SqlStorage, ids: readonly string[], all: readonly string[]): void {
  const order = [...new Set([...ids, ...all])].filter((id) => all.includes(id))
  for (const [position, id] of order.entries()) {
    sql.exec('UPDATE devices SET own_position = ? WHERE device_id = ?', position, id)
  }
}
