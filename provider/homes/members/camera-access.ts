import { OWNER } from '../../../contract/auth/roles.ts'
import type { Env } from '../../env.ts'
import { forbidden, notFound } from '../../platform/api-error.ts'

export interface CameraAccess {
  device_id: string
  home_id: string
  bridge_id: string
  /** The account's role in the camera's home, or what the camera is shared as. */
  role: number
  /** 1: the account belongs to the camera's home; 0: it sees the camera as a guest. */
  member: 0 | 1
}

/** Those of the cameras that the account may see, and where they belong. Others are left out, be there such a camera or not. */
export async function listCameraAccess(
  env: Env,
  userId: string,
  deviceIds: readonly string[],
): Promise<CameraAccess[]> {
  const { results } = await env.DB.prepare(
    `SELECT devices.device_id, devices.home_id, bridge_id, coalesce(home_members.role, shares.role) AS role,
       home_members.role IS NOT NULL AS member FROM devices
     LEFT JOIN home_members ON home_members.home_id = devices.home_id AND home_members.user_id = ?1
     LEFT JOIN shares ON shares.device_id = devices.device_id AND shares.home_id = devices.home_id AND shares.user_id = ?1
     WHERE devices.device_id IN (SELECT value FROM json_each(?2))
     AND coalesce(home_members.role, shares.role) IS NOT NULL`,
  )
    .bind(userId, JSON.stringify(deviceIds))
    .all<CameraAccess>()
  return results
}

/** Where a camera is that the account may see. 404 for any other, be there such a camera or not. */
export async function requireCameraAccess(env: Env, userId: string, deviceId: string): Promise<CameraAccess> {
  const [place] = await listCameraAccess(env, userId, [deviceId])
  if (!place) throw notFound()
  return place
}

/** Where a camera is that the account owns. 403 for one that it only sees, 404 for any other. */
export async function requireCameraOwner(env: Env, userId: string, deviceId: string): Promise<CameraAccess> {
  const place = await requireCameraAccess(env, userId, deviceId)
  if (place.role !== OWNER) throw forbidden('Only the owner of the camera may do this.')
  return place
}
