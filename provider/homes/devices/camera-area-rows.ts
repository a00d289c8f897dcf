import type { SqlStorage } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { CAMERA_AREAS, type CameraArea } from '../../../contract/cameras/camera-areas.ts'
import { lenientArray, parseJsonAs } from '../../../contract/wire/lenient-parse.ts'

/**
 * Schema step of the `Home` object. `places`: JSON array of `CameraArea`. If null, the camera name determines the
 * areas.
 */
export const CAMERA_AREAS_SCHEMA_STEP = 'ALTER TABLE devices ADD COLUMN places TEXT;'

const areasSchema = lenientArray(v.picklist(CAMERA_AREAS))

/** Parses stored camera areas of any version. Returns an empty array if the camera name determines the areas. */
export const parseCameraAreas = (json: string | null): CameraArea[] => parseJsonAs(areasSchema, json) ?? []

export function readCameraAreas(sql: SqlStorage, deviceId: string): CameraArea[] {
  const rows = sql.exec<{ places: string | null }>('SELECT places FROM devices WHERE device_id = ?', deviceId)
  return parseCameraAreas(rows.toArray()[0]?.places ?? null)
}

/** Stores the areas in the order of `CAMERA_AREAS`. Returns false if nothing changed. */
export function writeCameraAreas(sql: SqlStorage, deviceId: string, areas: readonly CameraArea[]): boolean {
  const inOrder = CAMERA_AREAS.filter((place) => areas.includes(place))
  const stored = inOrder.length > 0 ? JSON.stringify(inOrder) : null
  const written = sql.exec('UPDATE devices SET places = ?1 WHERE device_id = ?2 AND places IS NOT ?1', stored, deviceId)
  return written.rowsWritten > 0
}
