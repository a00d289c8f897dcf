import type { Hono } from 'hono'
import { getBridges, createBridgeCode, renameBridge, revokeBridge } from '../../contract/cameras/owner-calls.ts'
import { recordHomeActivity } from '../accounts/activity/record-activity.ts'
import type { AppEnv, Env } from '../env.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { OWNER_ROLE } from '../../contract/auth/roles.ts'
import { notFound } from '../platform/api-error.ts'
import { serveCall, serveCallWithAccess } from '../platform/http/serve-call.ts'
import { createEnrollmentCode } from './enrollment-codes.ts'
import { getObject } from '../platform/objects.ts'

export function bridgeOwnerRoutes(app: Hono<AppEnv>): void {
  serveCallWithAccess(app, createBridgeCode, ({ env, access, now }) => createEnrollmentCode(env, access, now))
  serveCall(app, getBridges, ({ env, account }) => listBridges(env, account.userId))
  serveCall(app, renameBridge, async ({ env, account, input, now }) => {
    const homes = await requireOwnHomes(env, account.userId, input.bridge_id)
    await env.DB.prepare(
      'UPDATE bridge_homes SET name = ? WHERE bridge_id = ? AND home_id IN (SELECT value FROM json_each(?))',
    )
      .bind(input.name, input.bridge_id, JSON.stringify(homes))
      .run()
    for (const home of homes)
      recordHomeActivity(env, home, { kind: 'bridge-renamed', who: account.userId, value: input.name }, now)
    return {}
  })
  serveCall(app, revokeBridge, async ({ env, account, input, now }) => {
    const homes = await requireOwnHomes(env, account.userId, input.bridge_id)
    const value = await revoke(env, input.bridge_id, homes, now)
    for (const home of homes) recordHomeActivity(env, home, { kind: 'bridge-removed', who: account.userId, value }, now)
    return {}
  })
}

type BridgeRow = { bridge_id: string; name: string; created_at: number; home_id: string }

async function listBridgeRows(env: Env, userId: string): Promise<BridgeRow[]> {
  const { results } = await env.DB.prepare(
    `SELECT bridge_id, coalesce(bridge_homes.name, bridges.name) AS name, bridges.created_at, home_id FROM bridges JOIN bridge_homes USING (bridge_id)
     JOIN home_members USING (home_id) WHERE user_id = ? AND role = ${OWNER_ROLE} ORDER BY bridges.created_at, bridge_id`,
  )
    .bind(userId)
    .all<BridgeRow>()
  return results
}

async function listBridges(env: Env, userId: string) {
  const rows = await listBridgeRows(env, userId)
  const ids = [...new Set(rows.map((row) => row.bridge_id))]
  const bridges = ids.map(async (bridge_id) => {
    const homes = rows.filter((row) => row.bridge_id === bridge_id)
    const [status, ...cameras] = await Promise.all([
      getObject(env, 'BRIDGES', bridge_id).getStatus(),
      ...homes.map(({ home_id }) => homeStub(env, home_id).bridgeCameras(bridge_id)),
    ])
    const { name = '', created_at = 0 } = homes[0] ?? {}
    const { connected, version, last_seen } = status
    const cameraNames = cameras.flat().map(({ device_id, nickname }) => ({ device_id, nickname }))
    return { bridge_id, name, created_at, connected, version, last_seen, cameras: cameraNames }
  })
  return { bridges: await Promise.all(bridges) }
}

/** Returns the account's homes that the bridge serves. Throws 404 if there are none, even if the bridge exists. */
async function requireOwnHomes(env: Env, userId: string, bridgeId: string): Promise<string[]> {
  const homes = (await listBridgeRows(env, userId)).filter((row) => row.bridge_id === bridgeId)
  if (homes.length > 0) return homes.map(({ home_id }) => home_id)
  throw notFound()
}

/** Removes the bridge from these homes and returns its name. Deletes the bridge's key if no home is left. */
async function revoke(env: Env, bridgeId: string, homes: readonly string[], now: number): Promise<string> {
  await env.DB.batch([
    env.DB.prepare('DELETE FROM bridge_homes WHERE bridge_id = ? AND home_id IN (SELECT value FROM json_each(?))').bind(
      bridgeId,
      JSON.stringify(homes),
    ),
    env.DB.prepare(
      `UPDATE bridges SET key_hash = '', revoked_at = ?2, revoked_home = ?3 WHERE bridge_id = ?1
       AND NOT EXISTS (SELECT 1 FROM bridge_homes WHERE bridge_homes.bridge_id = ?1)`,
    ).bind(bridgeId, now, homes[0] ?? null),
  ])
  const remaining = await env.DB.prepare('SELECT key_hash, name FROM bridges WHERE bridge_id = ?')
    .bind(bridgeId)
    .first<{ key_hash: string; name: string }>()
  const bridge = getObject(env, 'BRIDGES', bridgeId)
  await Promise.all(homes.map((home) => bridge.revoke(home, remaining?.key_hash === '')))
  return remaining?.name ?? ''
}
