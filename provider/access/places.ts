import { OWNER } from '../../contract/roles.ts'
import type { Env } from '../env.ts'
import { forbidden, notFound } from '../base/refusal.ts'

export interface DevicePlace {
  device_id: string
  home_id: string
  bridge_id: string
  /** The account's role in the camera's home, or what the camera is shared as; null when it may not see it. */
  role: number | null
}

/** Where these cameras belong and what the account is there; unknown ids are left out. */
export async function placesOf(env: Env, userId: string, deviceIds: readonly string[]): Promise<DevicePlace[]> {
  const { results } = await env.DB.prepare(
    `SELECT devices.device_id, devices.home_id, bridge_id, coalesce(home_members.role, shares.role) AS role FROM devices
     LEFT JOIN home_members ON home_members.home_id = devices.home_id AND home_members.user_id = ?1
     LEFT JOIN shares ON shares.device_id = devices.device_id AND shares.home_id = devices.home_id AND shares.user_id = ?1
     WHERE devices.device_id IN (SELECT value FROM json_each(?2))`,
  )
    .bind(userId, JSON.stringify(deviceIds))
    .all<DevicePlace>()
  return results
}

/** The same of cameras that the account may see. 403 when one is somebody else's. */
export async function seenPlaces(env: Env, userId: string, deviceIds: readonly string[]): Promise<DevicePlace[]> {
  const places = await placesOf(env, userId, deviceIds)
  if (places.some((place) => place.role === null)) throw forbidden()
  return places
}

/** Where a camera is that the account may see. 404 for an unknown one, 403 for somebody else's. */
export async function placeOf(env: Env, userId: string, deviceId: string): Promise<DevicePlace> {
  const [place] = await placesOf(env, userId, [deviceId])
  if (!place) throw notFound()
  if (place.role === null) throw forbidden()
  return place
}

/** Where a camera is that the account owns. 404 for an unknown one, 403 for any other. */
export async function ownPlace(env: Env, userId: string, deviceId: string): Promise<DevicePlace> {
  const place = await placeOf(env, userId, deviceId)
  if (place.role !== OWNER) throw forbidden('Only the owner of the camera may do this.')
  return place
}
