import { recordHomeActivity } from '../accounts/activity/record-activity.ts'
import type { Env } from '../env.ts'
import { badRequest, ApiError } from '../platform/api-error.ts'
import type { AccountAccess } from '../homes/members/account-access.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { requireCameraOwner, requireCameraAccess } from '../homes/members/camera-access.ts'
import { getLastPictureKey } from '../platform/media-urls/object-keys.ts'
import { getObject } from '../platform/objects.ts'

/**
 * Camera commands. They throw 404 without access. All accounts with access may wake a camera or request a snapshot. The
 * remaining commands throw 403 if the account does not own the camera.
 */

/** Wakes a sleeping camera. Throws 409 if its bridge is offline. */
export async function wakeCamera(env: Env, access: AccountAccess, deviceId: string): Promise<void> {
  const camera = requireCameraAccess(access, deviceId)
  const bridge = getObject(env, 'BRIDGES', camera.bridge_id)
  const isSent = await bridge.forwardToBridge({ type: 'command', device_id: deviceId, command: 'wake' })
  if (!isSent) throw new ApiError(409, 409, 'The camera’s hub isn’t connected, so we can’t wake the camera.')
}

/** Sets the rendition for all viewers. Throws 400 if the camera has no rendition of that name. */
export async function setCameraRendition(env: Env, access: AccountAccess, deviceId: string, name: string, now: number) {
  const camera = requireCameraOwner(access, deviceId)
  const isSet = await homeStub(env, camera.home_id).setRendition(deviceId, name)
  if (!isSet) throw badRequest('This camera doesn’t support that resolution.')
  recordHomeActivity(
    env,
    camera.home_id,
    { kind: 'camera-resolution', who: access.userId, camera: deviceId, value: name },
    now,
  )
  await getObject(env, 'BRIDGES', camera.bridge_id).forwardToBridge({
    type: 'command',
    device_id: deviceId,
    command: 'rendition',
    name,
  })
  return { resolution: name }
}

/** Swaps the lenses for all viewers. Throws 400 if the camera has only one lens. */
export async function swapLenses(env: Env, access: AccountAccess, deviceId: string) {
  const camera = requireCameraOwner(access, deviceId)
  const isSwapped = await homeStub(env, camera.home_id).swapLenses(deviceId)
  if (isSwapped === null) throw badRequest('This camera has only one lens.')
  await getObject(env, 'BRIDGES', camera.bridge_id).forwardToBridge({
    type: 'command',
    device_id: deviceId,
    command: 'pip',
    swap: isSwapped,
  })
  return { swapped: isSwapped }
}

/**
 * Requests a new last picture if the bridge is online. Returns the time of the stored last picture, ms UTC, which may
 * still be the earlier picture; null if no picture is stored.
 */
export async function captureSnapshot(env: Env, access: AccountAccess, deviceId: string) {
  const camera = requireCameraAccess(access, deviceId)
  await getObject(env, 'BRIDGES', camera.bridge_id).forwardToBridge({
    type: 'command',
    device_id: deviceId,
    command: 'snapshot',
  })
  const stored = await env.MEDIA.head(getLastPictureKey(camera.home_id, deviceId))
  return { taken_at: stored ? stored.uploaded.getTime() : null }
}
