import type { Context } from 'hono'
import * as v from 'valibot'
import { badRequest, notFound } from '../platform/api-error.ts'
import type { BridgeEnv } from './authenticate-bridge.ts'

/** The body, read by its schema. 400 when it does not fit. */
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

/** Homes that the bridge serves, its first in front. */
export async function servedHomes(c: Context<BridgeEnv>): Promise<ServedHome[]> {
  const { results } = await c.env.DB.prepare(
    'SELECT home_id, demo FROM bridge_homes JOIN homes USING (home_id) WHERE bridge_id = ? ORDER BY position',
  )
    .bind(c.get('bridgeId'))
    .all<ServedHome>()
  return results
}

/** The home of a camera of this bridge, which it serves. 404 for any other camera, be there such a one or not. */
export async function homeOfCamera(c: Context<BridgeEnv>, deviceId: string): Promise<ServedHome> {
  const found = await c.env.DB.prepare(
    `SELECT home_id, demo FROM devices JOIN homes USING (home_id) JOIN bridge_homes USING (home_id, bridge_id)
     WHERE bridge_id = ?1 AND device_id = ?2`,
  )
    .bind(c.get('bridgeId'), deviceId)
    .first<ServedHome>()
  if (!found) throw notFound()
  return found
}
