import type { Context } from 'hono'
import * as v from 'valibot'
import { forbidden, malformed, notFound } from '../base/refusal.ts'
import type { BridgeEnv } from './authenticate.ts'

/** The body, read by its schema. 400 when it does not fit. */
export function readBody<Schema extends v.GenericSchema>(c: Context<BridgeEnv>, schema: Schema): v.InferOutput<Schema> {
  const text = new TextDecoder().decode(c.get('body'))
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text)
  if (parsed.success) return parsed.output
  throw malformed(`The request is malformed: ${v.getDotPath(parsed.issues[0]) ?? 'not JSON'}.`)
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

/** The home of a camera of this bridge. 404 for an unknown camera, 403 for one of another bridge or a home not served. */
export async function homeOfCamera(c: Context<BridgeEnv>, deviceId: string): Promise<ServedHome> {
  const found = await c.env.DB.prepare(
    `SELECT devices.home_id, demo, devices.bridge_id = ?1 AND position IS NOT NULL AS mine
     FROM devices JOIN homes USING (home_id)
     LEFT JOIN bridge_homes ON bridge_homes.home_id = devices.home_id AND bridge_homes.bridge_id = ?1
     WHERE device_id = ?2`,
  )
    .bind(c.get('bridgeId'), deviceId)
    .first<ServedHome & { mine: number }>()
  if (!found) throw notFound()
  if (found.mine !== 1) throw forbidden()
  return found
}
