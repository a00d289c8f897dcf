import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import type { Env } from '../../env.ts'
import { forbidden, notFound } from '../../platform/api-error.ts'
import { readAccountAccess, type CameraAccess } from './account-access.ts'

/**
 * Returns the access of an account to each camera in `deviceIds` that it may see. Omits unknown cameras and cameras
 * that the account may not see.
 */
export async function listCameraAccess(
  env: Env,
  userId: string,
  deviceIds: readonly string[],
): Promise<CameraAccess[]> {
  const { cameras } = await readAccountAccess(env, userId)
  return cameras.filter(({ device_id }) => deviceIds.includes(device_id))
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
