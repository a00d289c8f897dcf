import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import type { Env } from '../../env.ts'
import { forbidden, notFound } from '../../platform/api-error.ts'

export interface CameraAccess {
  device_id: string
  home_id: string
  bridge_id: string
  /** Role in the camera's home, or role of the share if the account is a guest. */
  role: number
  /** 1: member of the camera's home; 0: guest with a share. */
  member: 0 | 1
}

/**
 * Returns the access of an account to each camera in `deviceIds` that it may see. Omits unknown cameras and cameras
 * that the account may not see.
 */
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

/** Returns the access of an account to a camera. Throws 404 without access, whether or not the camera exists. */
export async function requireCameraAccess(env: Env, userId: string, deviceId: string): Promise<CameraAccess> {
  const [access] = await listCameraAccess(env, userId, [deviceId])
  if (!access) throw notFound()
  return access
}

/**
 * Returns the access to a camera that the account owns. Throws 403 if the account may see the camera but does not own
 * it, and 404 if the account may not see the camera.
 */
export async function requireCameraOwner(env: Env, userId: string, deviceId: string): Promise<CameraAccess> {
  const access = await requireCameraAccess(env, userId, deviceId)
  if (access.role !== OWNER_ROLE) throw forbidden('Only the camera’s owner can do this.')
  return access
}
