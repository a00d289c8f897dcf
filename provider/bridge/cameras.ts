import type { Context } from 'hono'
import * as v from 'valibot'
import { registerCamera } from '../../contract/bridge.ts'
import { deviceId } from '../../contract/envelope.ts'
import { forbidden, malformed } from '../http/refusal.ts'
import { homeStub } from '../home/lookup.ts'
import type { BridgeEnv } from './authenticate.ts'
import { homeOfCamera, readBody, servedHomes } from './lookup.ts'

function cameraId(c: Context<BridgeEnv>): string {
  const id = c.req.param('device_id')
  if (!v.is(deviceId, id)) throw malformed('The camera id is malformed.')
  return id
}

/**
 * Registers a camera in one of the bridge's homes, or changes what is known of it. A camera that another bridge of the
 * same home had goes over to this one; one of another home is refused with 403.
 */
export async function putCamera(c: Context<BridgeEnv>): Promise<Response> {
  const device = cameraId(c)
  const camera = readBody(c, registerCamera)
  const bridgeId = c.get('bridgeId')
  const homes = await servedHomes(c)
  const home = camera.home_id === undefined ? homes[0] : homes.find((served) => served.home_id === camera.home_id)
  if (!home) throw forbidden('This bridge does not serve that home.')
  const row = await c.env.DB.prepare(
    `INSERT INTO devices (device_id, home_id, bridge_id) VALUES (?1, ?2, ?3)
     ON CONFLICT DO UPDATE SET bridge_id = ?3 WHERE home_id = ?2 RETURNING device_id`,
  )
    .bind(device, home.home_id, bridgeId)
    .first()
  if (!row) throw forbidden('That camera belongs to another home.')
  await homeStub(c.env, home.home_id).putDevice(bridgeId, device, camera)
  await c.env.BRIDGES.getByName(bridgeId).addCamera(device, home.home_id)
  return c.json({ code: 200 })
}

/** Takes a camera of this bridge off its home's list; its events stay stored until their retention ends. */
export async function deleteCamera(c: Context<BridgeEnv>): Promise<Response> {
  const device = cameraId(c)
  const home = await homeOfCamera(c, device)
  await homeStub(c.env, home.home_id).removeDevice(device)
  await c.env.BRIDGES.getByName(c.get('bridgeId')).removeCamera(device)
  await c.env.DB.prepare('DELETE FROM devices WHERE device_id = ?').bind(device).run()
  return c.json({ code: 200 })
}
