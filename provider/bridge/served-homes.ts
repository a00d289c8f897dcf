import type { Context } from 'hono'
import * as v from 'valibot'
import { badRequest, notFound } from '../platform/api-error.ts'
import type { BridgeEnv } from './authenticate-bridge.ts'
import type { ServedHome } from './bridge-rights.ts'

/** Returns the body, parsed by `schema`. Throws 400 if the body does not match. */
export function readBody<Schema extends v.GenericSchema>(c: Context<BridgeEnv>, schema: Schema): v.InferOutput<Schema> {
  const text = new TextDecoder().decode(c.get('body'))
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text)
  if (parsed.success) return parsed.output
  throw badRequest(`The request is malformed: ${v.getDotPath(parsed.issues[0]) ?? 'not JSON'}.`)
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
export function requireHomeOfCamera(c: Context<BridgeEnv>, deviceId: string): ServedHome {
  const home = c.get('rights').findHomeOfCamera(deviceId)
  if (!home) throw notFound()
  return home
}
