import type { Hono } from 'hono'
import { getCameraAreas, setCameraAreas } from '../../../contract/cameras/camera-areas.ts'
import {
  getCameraSettings,
  getShares,
  sortCameras,
  removeCamera,
  renameCamera,
  revokeShare,
  setCameraPower,
  setCameraSettings,
  shareCamera,
} from '../../../contract/cameras/owner-calls.ts'
import type { CameraSettings } from '../../../contract/cameras/camera-settings.ts'
import type { ActivityEvent } from '../../accounts/activity/entry.ts'
import { MOVE_INVITATION_LINKS_SQL } from '../../accounts/invitations/invitation-links.ts'
import { recordHomeActivity } from '../../accounts/activity/record-activity.ts'
import type { AppEnv, Env } from '../../env.ts'
import { badRequest, notFound } from '../../platform/api-error.ts'
import { serveCall, serveCallWithAccess } from '../../platform/http/serve-call.ts'
import { changeAccessInBatch, selectAccountsOfHome } from '../../platform/auth/change-access.ts'
import type { AccountAccess } from '../members/account-access.ts'
import { homeStub } from '../members/home-stub.ts'
import { requireCameraOwner, listCameraAccess } from '../members/camera-access.ts'
import { listShares, createCameraShare, deleteCameraShare } from '../members/shares.ts'
import { releaseLicense } from '../../billing/licenses/auto-assign.ts'
import { getObject } from '../../platform/objects.ts'

export function deviceOwnerRoutes(app: Hono<AppEnv>): void {
  settingRoutes(app)
  serveCallWithAccess(app, setCameraPower, async ({ env, access, input: { device_id, on }, now }) => {
    const camera = requireCameraOwner(access, device_id)
    await homeStub(env, camera.home_id).setPower(device_id, on)
    recordHomeActivity(
      env,
      camera.home_id,
      { ...toActivity(access, 'camera-power', device_id), value: on ? 'on' : 'off' },
      now,
    )
    const bridge = getObject(env, 'BRIDGES', camera.bridge_id)
    await bridge.forwardToBridge({ type: 'command', device_id, command: 'power', on })
    return {}
  })
  serveCallWithAccess(app, renameCamera, async ({ env, access, input: { device_id, nickname }, now }) => {
    const camera = requireCameraOwner(access, device_id)
    await homeStub(env, camera.home_id).renameCamera(device_id, nickname)
    recordHomeActivity(
      env,
      camera.home_id,
      { ...toActivity(access, 'camera-renamed', device_id), value: nickname },
      now,
    )
    return {}
  })
  serveCallWithAccess(app, sortCameras, async ({ env, access, input }) => {
    const homeId = requireCommonHome(access, input.device_ids)
    await homeStub(env, homeId).orderCameras(input.device_ids)
    return {}
  })
  serveCallWithAccess(app, removeCamera, async ({ env, access, input, now }) => {
    await deleteCamera(env, access, input.device_id, now)
    return {}
  })
  serveCallWithAccess(app, shareCamera, async ({ env, access, input, now }) => {
    const share = await createCameraShare(env, access, input, now)
    for (const deviceId of share.deviceIds)
      recordHomeActivity(env, share.home_id, { ...toActivity(access, 'shared', deviceId), whom: share.whom }, now)
    return share.invitation === null ? {} : { invitation: share.invitation }
  })
  serveCall(app, getShares, ({ env, account }) => listShares(env, account.userId))
  serveCallWithAccess(app, revokeShare, async ({ env, access, input, now }) => {
    const { home_id, whom: recipient } = await deleteCameraShare(env, access, input)
    recordHomeActivity(env, home_id, { ...toActivity(access, 'unshared', input.device_id), whom: recipient }, now)
    return {}
  })
}

function settingRoutes(app: Hono<AppEnv>): void {
  serveCallWithAccess(app, getCameraSettings, async ({ env, access, input: { device_id } }) => {
    const camera = requireCameraOwner(access, device_id)
    /* The RPC result type turns inner tuples into arrays, so restore the tuple type. */
    return (await homeStub(env, camera.home_id).cameraSettings(device_id)) as CameraSettings
  })
  serveCallWithAccess(app, setCameraSettings, async ({ env, access, input: { device_id, settings }, now }) => {
    const camera = requireCameraOwner(access, device_id)
    const changed = await homeStub(env, camera.home_id).setCameraSettings(device_id, settings)
    const activity = { ...toActivity(access, 'camera-settings', device_id), value: changed.join(' ') }
    if (changed.length > 0) recordHomeActivity(env, camera.home_id, activity, now)
    await getObject(env, 'BRIDGES', camera.bridge_id).forwardToBridge({ type: 'settings', device_id, settings })
    return {}
  })
  serveCallWithAccess(app, getCameraAreas, async ({ env, access, input: { device_id } }) => {
    const camera = requireCameraOwner(access, device_id)
    return { places: await homeStub(env, camera.home_id).cameraAreas(device_id) }
  })
  serveCallWithAccess(app, setCameraAreas, async ({ env, access, input: { device_id, places }, now }) => {
    const { home_id } = requireCameraOwner(access, device_id)
    const hasChanged = await homeStub(env, home_id).setCameraAreas(device_id, places)
    const activity = { ...toActivity(access, 'camera-settings', device_id), value: 'places' }
    if (hasChanged) recordHomeActivity(env, home_id, activity, now)
    return {}
  })
}

const toActivity = ({ userId }: { userId: string }, kind: ActivityEvent['kind'], camera: string) => ({
  kind,
  who: userId,
  camera,
})

/**
 * Returns the common home of these cameras. Throws if they are in several homes, or if the account does not own all of
 * them.
 */
function requireCommonHome(access: AccountAccess, deviceIds: readonly string[]): string {
  const [first = ''] = deviceIds
  const { home_id } = requireCameraOwner(access, first)
  const cameras = listCameraAccess(access, deviceIds)
  if (cameras.length < new Set(deviceIds).size) throw notFound()
  if (cameras.some((camera) => camera.home_id !== home_id))
    throw badRequest('These cameras are in different homes. Choose cameras from one home.')
  return home_id
}

/**
 * Deletes the camera for all accounts. An offline bridge removes the camera later, when its next registration of this
 * camera fails with 410.
 */
async function deleteCamera(env: Env, access: AccountAccess, deviceId: string, now: number): Promise<void> {
  const { home_id, bridge_id } = requireCameraOwner(access, deviceId)
  const statements = [
    env.DB.prepare('INSERT OR REPLACE INTO removed_devices (device_id, bridge_id) VALUES (?, ?)').bind(
      deviceId,
      bridge_id,
    ),
    env.DB.prepare('DELETE FROM shares WHERE device_id = ?').bind(deviceId),
    env.DB.prepare('DELETE FROM invitations WHERE device_id = ?').bind(deviceId),
    env.DB.prepare(MOVE_INVITATION_LINKS_SQL).bind(deviceId),
    env.DB.prepare('DELETE FROM invitation_links WHERE device_id = ?').bind(deviceId),
    env.DB.prepare('DELETE FROM devices WHERE device_id = ?').bind(deviceId),
  ]
  await changeAccessInBatch(env, selectAccountsOfHome(env, home_id), statements)
  /* Notify open pages before the video streams end, so that no page requests the camera again. */
  await homeStub(env, home_id).removeDevice(deviceId, true, now)
  await getObject(env, 'CAMERAS', deviceId).revokeAccess(null, now)
  await releaseLicense(env, deviceId, now)
  recordHomeActivity(env, home_id, { kind: 'camera-removed', who: access.userId, camera: deviceId }, now)
  await getObject(env, 'BRIDGES', bridge_id).removeCameraAndNotifyBridge(deviceId)
}
