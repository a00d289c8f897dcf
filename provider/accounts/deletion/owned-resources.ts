import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import type { Env } from '../../env.ts'

/**
 * Kinds of resources to delete: resources that only the account owns, and shared objects in which the account has rows.
 */
const RESOURCE_KINDS = ['vote', 'bridge', 'bridge-left', 'camera', 'home', 'guest-home', 'guest-camera'] as const
export type OwnedResourceKind = (typeof RESOURCE_KINDS)[number]

/**
 * Object to delete, or object that loses only the account's rows. `at`: for `vote`, the home that stores the vote; for
 * `bridge-left`, the home from which the bridge is removed; otherwise ''.
 */
export interface OwnedResource {
  readonly kind: OwnedResourceKind
  readonly id: string
  readonly at: string
}

type ResourceRow = { id: string; at?: string }

const OWN_HOMES = `SELECT home_id FROM home_members WHERE user_id = ?1 AND role = ${OWNER_ROLE} AND NOT EXISTS (
  SELECT 1 FROM home_members AS other WHERE other.home_id = home_members.home_id AND other.role = ${OWNER_ROLE}
    AND other.user_id <> ?1)`
/** Bridges that serve only homes of `OWN_HOMES`, and bridges that were removed from one of these homes. */
const OWN_BRIDGES = `SELECT bridge_id FROM bridges WHERE revoked_home IN (${OWN_HOMES}) OR bridge_id IN (
  SELECT bridge_id FROM bridge_homes WHERE home_id IN (${OWN_HOMES}))
  AND bridge_id NOT IN (SELECT bridge_id FROM bridge_homes WHERE home_id NOT IN (${OWN_HOMES}))`
const GUEST_HOMES = `SELECT home_id FROM (SELECT home_id FROM home_members WHERE user_id = ?1
  UNION SELECT home_id FROM shares WHERE user_id = ?1) WHERE home_id NOT IN (${OWN_HOMES})`

const RESOURCE_QUERIES: Readonly<Record<OwnedResourceKind, string>> = {
  home: `SELECT home_id AS id FROM (${OWN_HOMES})`,
  camera: `SELECT device_id AS id FROM devices WHERE home_id IN (${OWN_HOMES})`,
  bridge: `SELECT bridge_id AS id FROM (${OWN_BRIDGES})`,
  'bridge-left': `SELECT bridge_id AS id, home_id AS at FROM bridge_homes WHERE home_id IN (${OWN_HOMES})
    AND bridge_id NOT IN (${OWN_BRIDGES})`,
  'guest-home': `SELECT home_id AS id FROM (${GUEST_HOMES})`,
  'guest-camera': `SELECT device_id AS id FROM devices WHERE home_id IN (${GUEST_HOMES})`,
  vote: `SELECT feedback_id AS id, value AS at FROM search_feedback, json_each(homes) WHERE user_id = ?1`,
}

/** Returns the account's resources outside D1, according to the current data of D1 and of the account's homes. */
export async function listOwnedResources(env: Env, userId: string): Promise<OwnedResource[]> {
  const queryResults = await env.DB.batch<ResourceRow>(
    RESOURCE_KINDS.map((kind) => env.DB.prepare(RESOURCE_QUERIES[kind]).bind(userId)),
  )
  const resources = RESOURCE_KINDS.flatMap((kind, n) =>
    (queryResults[n]?.results ?? []).map(({ id, at = '' }): OwnedResource => ({ kind, id, at })),
  )
  const homes = resources.filter(({ kind }) => kind === 'home').map(({ id }) => id)
  const formerCameras = (await Promise.all(homes.map((home) => homeStub(env, home).cameraNames()))).flat()
  return [
    ...resources,
    ...(
      await findOrphanedCameras(
        env,
        formerCameras.map(({ device_id }) => device_id),
      )
    ).map((id): OwnedResource => ({ kind: 'camera', id, at: '' })),
  ]
}

async function findOrphanedCameras(env: Env, cameras: readonly string[]): Promise<string[]> {
  const { results } = await env.DB.prepare(
    'SELECT value AS id FROM json_each(?) WHERE value NOT IN (SELECT device_id FROM devices)',
  )
    .bind(JSON.stringify(cameras))
    .all<ResourceRow>()
  return results.map(({ id }) => id)
}
