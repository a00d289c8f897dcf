import type { Context } from 'hono'
import * as v from 'valibot'
import { registerCamera } from '../../contract/bridge/bridge-protocol.ts'
import { deviceId } from '../../contract/wire/envelope.ts'
import { grantDemoShares } from '../homes/members/demo-shares.ts'
import { forbidden, badRequest, ApiError } from '../platform/api-error.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { assignFreeLicense, releaseLicense } from '../billing/licenses/auto-assign.ts'
import type { BridgeEnv } from './authenticate-bridge.ts'
import { homeOfCamera, readBody, servedHomes } from './served-homes.ts'

/**
 * Matches camera ids of older bridges. These bridges derived the id from the camera's address alone, so cameras in
 * different homes can have the same id.
 */
const OF_ADDRESS = /^RC[0-9A-F]{12}$/

/** Maximum registered cameras of one bridge. */
const CAMERAS_MAX = 64

function cameraId(c: Context<BridgeEnv>): string {
  const id = c.req.param('device_id')
  if (!v.is(deviceId, id)) throw badRequest('The camera id is malformed.')
  return id
}

/**
 * Registers or updates a camera in one of the bridge's homes. A camera of another bridge in the same home moves to this
 * bridge. Throws 410 if the camera's owner has removed it. Throws 409 if another home uses the id, or if an id derived
 * from an address is new; the error does not reveal which.
 */
export async function putCamera(c: Context<BridgeEnv>): Promise<Response> {
  const device = cameraId(c)
  const camera = readBody(c, registerCamera)
  const bridgeId = c.get('bridgeId')
  const now = Date.now()
  const homes = await servedHomes(c)
  const home = camera.home_id === undefined ? homes[0] : homes.find((served) => served.home_id === camera.home_id)
  if (!home) throw forbidden('This bridge does not serve that home.')
  const before = await knownAs(c, device)
  if (before.removedFrom === bridgeId) throw new ApiError(410, 410, 'The owner has removed this camera.')
  if (before.former !== bridgeId && before.count >= CAMERAS_MAX)
    throw new ApiError(403, 403, `A bridge has ${CAMERAS_MAX} cameras at most. Start another bridge for more.`)
  const row = await c.env.DB.prepare(
    `INSERT INTO devices (device_id, home_id, bridge_id) SELECT ?1, ?2, ?3
     WHERE ?4 = 0 OR EXISTS (SELECT 1 FROM devices WHERE device_id = ?1)
     ON CONFLICT DO UPDATE SET bridge_id = ?3 WHERE home_id = ?2 RETURNING device_id`,
  )
    .bind(device, home.home_id, bridgeId, OF_ADDRESS.test(device) ? 1 : 0)
    .first()
  if (!row) throw new ApiError(409, 409, 'This id is not to be had. An up-to-date bridge takes another one by itself.')
  if (before.former && before.former !== bridgeId) await c.env.BRIDGES.getByName(before.former).removeCamera(device)
  await homeStub(c.env, home.home_id).putDevice(bridgeId, device, camera, now)
  if (home.demo === 1)
    await grantDemoShares(c.env, { home_id: home.home_id, device_id: device }, camera.device_order, now)
  if (!before.former) await assignFreeLicense(c.env, home.home_id, device, now)
  await c.env.BRIDGES.getByName(bridgeId).addCamera(device, home.home_id)
  return c.json({ code: 200 })
}

/**
 * Returns the bridge that has the camera, the bridge from which its owner removed the camera, and the number of cameras
 * that the requesting bridge has.
 */
async function knownAs(c: Context<BridgeEnv>, device: string) {
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
 * Removes a camera of this bridge from its home, or confirms that the bridge knows of the removal by the owner. The
 * camera's events stay until their retention ends. Also succeeds if the camera does not belong to this bridge.
 */
export async function deleteCamera(c: Context<BridgeEnv>): Promise<Response> {
  const device = cameraId(c)
  const bridgeId = c.get('bridgeId')
  await c.env.DB.prepare('DELETE FROM removed_devices WHERE device_id = ? AND bridge_id = ?')
    .bind(device, bridgeId)
    .run()
  if ((await knownAs(c, device)).former !== bridgeId) return c.json({ code: 200 })
  const home = await homeOfCamera(c, device)
  const now = Date.now()
  await homeStub(c.env, home.home_id).removeDevice(device, false, now)
  await c.env.BRIDGES.getByName(bridgeId).removeCamera(device)
  await c.env.DB.prepare('DELETE FROM devices WHERE device_id = ?').bind(device).run()
  await releaseLicense(c.env, device, now)
  return c.json({ code: 200 })
}
