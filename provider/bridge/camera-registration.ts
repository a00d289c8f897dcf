import type { Context } from 'hono'
import * as v from 'valibot'
import { registerCameraRequest } from '../../contract/bridge/bridge-protocol.ts'
import { deviceId } from '../../contract/wire/envelope.ts'
import { grantDemoShares } from '../homes/members/demo-shares.ts'
import { forbidden, badRequest, ApiError } from '../platform/api-error.ts'
import { changeAccess, changeAccessInBatch, selectAccountsOfHome } from '../platform/auth/change-access.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { assignFreeLicense, releaseLicense } from '../billing/licenses/auto-assign.ts'
import type { BridgeEnv } from './authenticate-bridge.ts'
import { requireHomeOfCamera, readBody, listServedHomes } from './served-homes.ts'
import { getObject } from '../platform/objects.ts'

/**
 * Matches camera ids that older bridges derived from the network address alone. Cameras in different homes can share
 * such an id.
 */
const ADDRESS_DERIVED_ID_PATTERN = /^RC[0-9A-F]{12}$/

const MAX_CAMERAS = 64

function readCameraId(c: Context<BridgeEnv>): string {
  const id = c.req.param('device_id')
  if (!v.is(deviceId, id)) throw badRequest('The camera ID is malformed.')
  return id
}

/**
 * Registers or updates a camera. Throws 410 if the owner has removed the camera from this bridge. Throws 403 if the
 * bridge does not serve the home, or would have more than `MAX_CAMERAS` cameras. Throws 409 if another home uses the
 * id, or if the id is new and derived from the address.
 */
export async function putCamera(c: Context<BridgeEnv>): Promise<Response> {
  const device = readCameraId(c)
  const camera = readBody(c, registerCameraRequest)
  const bridgeId = c.get('bridgeId')
  const now = Date.now()
  const homes = await listServedHomes(c)
  const home = camera.home_id === undefined ? homes[0] : homes.find((served) => served.home_id === camera.home_id)
  if (!home) throw forbidden('This hub doesn’t serve that home.')
  const registration = await findRegistration(c, device)
  if (registration.removedFrom === bridgeId) throw new ApiError(410, 410, 'The owner removed this camera.')
  if (registration.former !== bridgeId && registration.count >= MAX_CAMERAS)
    throw new ApiError(403, 403, `A hub can have up to ${MAX_CAMERAS} cameras. Set up another hub to add more.`)
  const statement = c.env.DB.prepare(
    `INSERT INTO devices (device_id, home_id, bridge_id) SELECT ?1, ?2, ?3
     WHERE ?4 = 0 OR EXISTS (SELECT 1 FROM devices WHERE device_id = ?1)
     ON CONFLICT DO UPDATE SET bridge_id = ?3 WHERE home_id = ?2 RETURNING device_id`,
  ).bind(device, home.home_id, bridgeId, ADDRESS_DERIVED_ID_PATTERN.test(device) ? 1 : 0)
  const row = await changeAccess(c.env, selectAccountsOfHome(c.env, home.home_id), () => statement.first())
  if (!row)
    throw new ApiError(
      409,
      409,
      'This camera ID isn’t available. Update the hub so it can choose another ID automatically.',
    )
  if (registration.former && registration.former !== bridgeId)
    await getObject(c.env, 'BRIDGES', registration.former).removeCamera(device)
  await homeStub(c.env, home.home_id).putDevice(bridgeId, device, camera, now)
  if (home.demo === 1)
    await grantDemoShares(c.env, { home_id: home.home_id, device_id: device }, camera.device_order, now)
  if (!registration.former) await assignFreeLicense(c.env, home.home_id, device, now)
  await getObject(c.env, 'BRIDGES', bridgeId).addCamera(device, home.home_id)
  return c.json({ code: 200 })
}

/**
 * Returns the camera's current bridge (`former`), the bridge from which the owner removed the camera, and the number of
 * cameras of the requesting bridge.
 */
async function findRegistration(c: Context<BridgeEnv>, device: string) {
  const row = await c.env.DB.prepare(
    `SELECT (SELECT bridge_id FROM devices WHERE device_id = ?1) AS former,
       (SELECT bridge_id FROM removed_devices WHERE device_id = ?1) AS removedFrom,
       (SELECT count(*) FROM devices WHERE bridge_id = ?2) AS count`,
  )
    .bind(device, c.get('bridgeId'))
    .first<{ former: string | null; removedFrom: string | null; count: number }>()
  return row ?? { former: null, removedFrom: null, count: 0 }
}

/**
 * Removes a camera of this bridge from its home. Its events stay until their retention period ends. If the owner has
 * already removed the camera, deletes the record of that removal. Does nothing for a camera of another bridge.
 */
export async function deleteCamera(c: Context<BridgeEnv>): Promise<Response> {
  const device = readCameraId(c)
  const bridgeId = c.get('bridgeId')
  await c.env.DB.prepare('DELETE FROM removed_devices WHERE device_id = ? AND bridge_id = ?')
    .bind(device, bridgeId)
    .run()
  if ((await findRegistration(c, device)).former !== bridgeId) return c.json({ code: 200 })
  const home = requireHomeOfCamera(c, device)
  const now = Date.now()
  await homeStub(c.env, home.home_id).removeDevice(device, false, now)
  await getObject(c.env, 'BRIDGES', bridgeId).removeCamera(device)
  const statement = c.env.DB.prepare('DELETE FROM devices WHERE device_id = ?').bind(device)
  await changeAccessInBatch(c.env, selectAccountsOfHome(c.env, home.home_id), [statement])
  await releaseLicense(c.env, device, now)
  return c.json({ code: 200 })
}
