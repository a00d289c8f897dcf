import type { SqlStorage } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { CAMERA_PLACES, type CameraPlace } from '../../../contract/cameras/camera-areas.ts'
import { readableArray, readJson } from '../../../contract/wire/lenient-parse.ts'

/** Camera areas, as the owner of a home sets them. */

/**
 * Schema step of the `Home` object. `places`: JSON array of `CameraPlace`; null if the areas follow from the camera's
 * name.
 */
export const PLACES_STEP = 'ALTER TABLE devices ADD COLUMN places TEXT;'

const readable = readableArray(v.picklist(CAMERA_PLACES))

/** Parses camera areas that any version has stored; empty if the areas follow from the camera's name. */
export const placesIn = (json: string | null): CameraPlace[] => readJson(readable, json) ?? []

export function readPlaces(sql: SqlStorage, deviceId: string): CameraPlace[] {
  const rows = sql.exec<{ places: string | null }>('SELECT places FROM devices WHERE device_id = ?', deviceId)
  return placesIn(rows.toArray()[0]?.places ?? null)
}

/** Stores the areas in the order of `CAMERA_PLACES`; false if nothing changed. */
export function writePlaces(sql: SqlStorage, deviceId: string, places: readonly CameraPlace[]): boolean {
  const inOrder = CAMERA_PLACES.filter((place) => places.includes(place))
  const stored = inOrder.length > 0 ? JSON.stringify(inOrder) : null
  const written = sql.exec('UPDATE devices SET places = ?1 WHERE device_id = ?2 AND places IS NOT ?1', stored, deviceId)
  return written.rowsWritten > 0
}
