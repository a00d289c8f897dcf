import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import { forbidden, notFound } from '../../platform/api-error.ts'
import type { AccountAccess, CameraAccess } from './account-access.ts'

/**
 * Returns the access of an account to each camera in `deviceIds` that it may see. Omits unknown cameras and cameras
 * that the account may not see.
 */
export const listCameraAccess = ({ cameras }: AccountAccess, deviceIds: readonly string[]): CameraAccess[] =>
  cameras.filter(({ device_id }) => deviceIds.includes(device_id))

/** Returns the access of an account to a camera. Throws 404 without access, whether or not the camera exists. */
export function requireCameraAccess(access: AccountAccess, deviceId: string): CameraAccess {
  const [camera] = listCameraAccess(access, [deviceId])
  if (!camera) throw notFound()
  return camera
}

/**
 * Returns the access to a camera that the account owns. Throws 403 if the account may see the camera but does not own
 * it, and 404 if the account may not see the camera.
 */
export function requireCameraOwner(access: AccountAccess, deviceId: string): CameraAccess {
  const camera = requireCameraAccess(access, deviceId)
  if (camera.role !== OWNER_ROLE) throw forbidden('Only the camera’s owner can do this.')
  return camera
}
