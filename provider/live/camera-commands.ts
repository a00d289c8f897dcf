import { recordHomeActivity } from '../accounts/activity/record-activity.ts'
import type { Env } from '../env.ts'
import { badRequest, ApiError } from '../platform/api-error.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { requireCameraOwner, requireCameraAccess } from '../homes/members/camera-access.ts'
import { lastPictureKey } from '../platform/media-urls/object-keys.ts'

/**
 * Camera commands. Accounts with access may wake the camera and request a snapshot; only the owner may change it.
 * Changes throw 403 if the account may only see the camera. All commands throw 404 without access.
 */

/** Wakes a sleeping camera. Throws 409 if its bridge is offline. */
export async function wake(env: Env, userId: string, deviceId: string): Promise<void> {
  const place = await requireCameraAccess(env, userId, deviceId)
  const bridge = env.BRIDGES.getByName(place.bridge_id)
  const sent = await bridge.pass({ type: 'command', device_id: deviceId, command: 'wake' })
  if (!sent) throw new ApiError(409, 409, 'The box at home is not connected, so the camera cannot be woken.')
}

/** Sets the rendition for all viewers. Throws 400 if the camera has none of that name. */
export async function setCameraRendition(env: Env, userId: string, deviceId: string, name: string, now: number) {
  const place = await requireCameraOwner(env, userId, deviceId)
  const set = await homeStub(env, place.home_id).setRendition(deviceId, name)
  if (!set) throw badRequest('The camera does not have this resolution.')
  recordHomeActivity(env, place.home_id, { kind: 'camera-resolution', who: userId, camera: deviceId, value: name }, now)
  await env.BRIDGES.getByName(place.bridge_id).pass({
    type: 'command',
    device_id: deviceId,
    command: 'rendition',
    name,
  })
  return { resolution: name }
}

/** Swaps the lenses for all viewers. Throws 400 if the camera has only one. */
export async function swapLenses(env: Env, userId: string, deviceId: string) {
  const place = await requireCameraOwner(env, userId, deviceId)
  const swap = await homeStub(env, place.home_id).exchangePip(deviceId)
  if (swap === null) throw badRequest('The camera has only one picture.')
  await env.BRIDGES.getByName(place.bridge_id).pass({ type: 'command', device_id: deviceId, command: 'pip', swap })
  return { swapped: swap }
}

/** Asks the bridge for a new last picture if the bridge is online. Returns the time of the currently stored picture. */
export async function captureSnapshot(env: Env, userId: string, deviceId: string) {
  const place = await requireCameraAccess(env, userId, deviceId)
  await env.BRIDGES.getByName(place.bridge_id).pass({ type: 'command', device_id: deviceId, command: 'snapshot' })
  const stored = await env.MEDIA.head(lastPictureKey(place.home_id, deviceId))
  return { taken_at: stored ? stored.uploaded.getTime() : null }
}
