import type { InferOutput } from 'valibot'
import type { putBridgeRequest as putBridgeSchema } from '../../contract/operator/operator-calls.ts'
import type { Env } from '../env.ts'
import { notFound, ApiError } from '../platform/api-error.ts'
import { getObject } from '../platform/objects.ts'

/**
 * Enrolls a bridge, or updates its key, name and homes. Homes that claimed the bridge (`claimLocalBridge`) stay
 * assigned. Returns the homes of a new bridge, else []. Throws 404 if a home does not exist, and 410 if the bridge was
 * removed.
 */
export async function storeBridge(
  env: Env,
  bridgeId: string,
  bridge: InferOutput<typeof putBridgeSchema>,
  now: number,
): Promise<string[]> {
  const enrollment = await findEnrollment(env, bridgeId)
  if (enrollment && enrollment.revoked_at !== null) throw new ApiError(410, 410, 'This hub was removed by its owner.')
  const claimed = enrollment ? (JSON.parse(enrollment.claimed) as string[]) : []
  const homes = bridge.homes
    ? JSON.stringify([...new Set([...bridge.homes, ...claimed])])
    : await selectHomesToServe(env, enrollment)
  const missing = await env.DB.prepare(
    'SELECT count(*) AS n FROM json_each(?) WHERE value NOT IN (SELECT home_id FROM homes)',
  )
    .bind(homes)
    .first<number>('n')
  if (missing !== 0) throw notFound()
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO bridges (bridge_id, key_hash, name, created_at, machine) VALUES (?1, ?2, ?3, ?4, ?5)
       ON CONFLICT DO UPDATE SET key_hash = ?2, name = ?3, machine = ?5`,
    ).bind(bridgeId, bridge.key_hash, bridge.name, now, bridge.machine === true ? 1 : 0),
    env.DB.prepare(
      'DELETE FROM bridge_homes WHERE bridge_id = ?1 AND home_id NOT IN (SELECT value FROM json_each(?2))',
    ).bind(bridgeId, homes),
    env.DB.prepare(
      `INSERT INTO bridge_homes (bridge_id, home_id, position) SELECT ?1, value, min(key) FROM json_each(?2) GROUP BY value
       ON CONFLICT DO UPDATE SET position = excluded.position`,
    ).bind(bridgeId, homes),
  ])
  if (enrollment && (enrollment.key_hash !== bridge.key_hash || enrollment.homes !== homes)) {
    await getObject(env, 'BRIDGES', bridgeId).disconnect()
  }
  return enrollment ? [] : (JSON.parse(homes) as string[])
}

/**
 * Returns the homes that the bridge serves, as a JSON array. For a bridge without homes, returns the oldest home of the
 * provider.
 */
async function selectHomesToServe(env: Env, enrollment: { homes: string } | null): Promise<string> {
  if (enrollment && enrollment.homes !== '[]') return enrollment.homes
  const oldest = await env.DB.prepare('SELECT home_id FROM homes ORDER BY created_at, home_id LIMIT 1').first('home_id')
  return JSON.stringify(oldest === null ? [] : [oldest])
}

/** Assigns the home to every enrolled bridge that has no home. These bridges were enrolled before any home existed. */
export async function assignHomeToUnassignedBridges(env: Env, homeId: string): Promise<void> {
  const { results } = await env.DB.prepare(
    `INSERT INTO bridge_homes (bridge_id, home_id, position)
     SELECT bridge_id, ?, 0 FROM bridges
     WHERE revoked_at IS NULL AND bridge_id NOT IN (SELECT bridge_id FROM bridge_homes)
     RETURNING bridge_id`,
  )
    .bind(homeId)
    .all<{ bridge_id: string }>()
  await Promise.all(results.map(({ bridge_id }) => getObject(env, 'BRIDGES', bridge_id).disconnect()))
}

interface Enrollment {
  key_hash: string
  homes: string
  claimed: string
  revoked_at: number | null
}

/**
 * Returns the stored enrollment of a bridge. `homes` and `claimed` are JSON arrays of home ids; `revoked_at` is ms UTC.
 */
function findEnrollment(env: Env, bridgeId: string): Promise<Enrollment | null> {
  return env.DB.prepare(
    `SELECT key_hash, revoked_at, (SELECT json_group_array(home_id ORDER BY position) FROM bridge_homes
     WHERE bridge_homes.bridge_id = bridges.bridge_id) AS homes,
     (SELECT json_group_array(home_id) FROM bridge_homes
     WHERE bridge_homes.bridge_id = bridges.bridge_id AND claimed = 1) AS claimed FROM bridges WHERE bridge_id = ?`,
  )
    .bind(bridgeId)
    .first<Enrollment>()
}
