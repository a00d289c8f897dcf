import type { Context } from 'hono'
import * as v from 'valibot'
import { badRequest, notFound } from '../platform/api-error.ts'
import type { BridgeEnv } from './authenticate-bridge.ts'

/** Returns the body, parsed by `schema`. Throws 400 if the body does not match. */
export function readBody<Schema extends v.GenericSchema>(c: Context<BridgeEnv>, schema: Schema): v.InferOutput<Schema> {
  const text = new TextDecoder().decode(c.get('body'))
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text)
  if (parsed.success) return parsed.output
  throw badRequest(`The request is malformed: ${v.getDotPath(parsed.issues[0]) ?? 'not JSON'}.`)
}

export interface ServedHome {
  home_id: string
  demo: number
}

/** Returns the homes that the bridge serves, in the order stored with the bridge. */
export async function listServedHomes(c: Context<BridgeEnv>): Promise<ServedHome[]> {
  const { results } = await c.env.DB.prepare(
    'SELECT home_id, demo FROM bridge_homes JOIN homes USING (home_id) WHERE bridge_id = ? ORDER BY position',
  )
    .bind(c.get('bridgeId'))
    .all<ServedHome>()
  return results
}

/** Returns the home of a camera. Throws 404 if this bridge does not serve the camera, even if the camera exists. */
export async function requireHomeOfCamera(c: Context<BridgeEnv>, deviceId: string): Promise<ServedHome> {
  const found = await c.env.DB.prepare(
    `SELECT home_id, demo FROM devices JOIN homes USING (home_id) JOIN bridge_homes USING (home_id, bridge_id)
     WHERE bridge_id = ?1 AND device_id = ?2`,
  )
    .bind(c.get('bridgeId'), deviceId)
    .first<ServedHome>()
  if (!found) throw notFound()
  return found
}
