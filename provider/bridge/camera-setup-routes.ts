import type { Hono } from 'hono'
import { forwardSealedRequest, getBridgeSealingKey, readSealedAnswers } from '../../contract/cameras/camera-setup.ts'
import { OWNER_ROLE } from '../../contract/auth/roles.ts'
import { isDemoAccount } from '../accounts/account-rows.ts'
import type { AccountAccess } from '../homes/members/account-access.ts'
import { requireCameraOwner } from '../homes/members/camera-access.ts'
import type { HomeCamera } from '../homes/members/shares.ts'
import { listHomes } from '../homes/members/memberships.ts'
import { forbidden, notFound, ApiError, tooManyRequests } from '../platform/api-error.ts'
import { isLocalDeployment } from '../platform/local-deployment.ts'
import type { AppEnv, Env } from '../env.ts'
import { countAttempt } from '../platform/rate-limits/attempt-limits.ts'
import { serveCallWithAccess } from '../platform/http/serve-call.ts'
import { MINUTE_MS } from '../../contract/time-units.ts'
import { recordHomeActivity } from '../accounts/activity/record-activity.ts'
import { getObject } from '../platform/objects.ts'

/**
 * Maximum number of key requests and sealed requests together, per account per minute. A user who sets up a camera
 * needs far fewer.
 */
const REQUESTS_PER_MINUTE = 40
const DEMO_ERROR = 'This is a shared demo account. Create your own account to add cameras.'

/** Mounts the calls with which an owner adds or changes a camera. The provider cannot open the sealed requests and responses. */
export function cameraSetupRoutes(app: Hono<AppEnv>): void {
  serveCallWithAccess(app, getBridgeSealingKey, async ({ env, access, input, now }) => {
    const home = requireOwnHome(access)
    if (await isDemoRestricted(env, access.userId)) return { state: 'demo' as const }
    await countRequest(env, access.userId, now)
    const bridge =
      input.device_id === undefined
        ? await chooseBridge(env, home, now)
        : await findBridgeOfCamera(env, access, { home_id: home, device_id: input.device_id })
    if (!bridge) return { state: 'no_bridge' as const }
    const { bridge_id, name } = bridge
    const sealingKeyResult = await getObject(env, 'BRIDGES', bridge_id).requestSealingKey()
    return sealingKeyResult.state === 'open'
      ? { ...sealingKeyResult, bridge_id, home_id: home, name }
      : { state: sealingKeyResult.state, name }
  })

  serveCallWithAccess(app, forwardSealedRequest, async ({ env, access, input, now }) => {
    const home = requireOwnHome(access)
    await requireServingBridge(env, input.bridge_id, home)
    if (await isDemoRestricted(env, access.userId)) throw forbidden(DEMO_ERROR)
    await countRequest(env, access.userId, now)
    const result = await getObject(env, 'BRIDGES', input.bridge_id).sendSealedRequest(access.userId, home, input.sealed)
    if (result === 'too_many') throw tooManyRequests(MINUTE_MS / 6)
    if (result === 'bridge_off') throw new ApiError(409, 409, 'The hub in your home isn’t connected.')
    return { ask_id: result }
  })

  serveCallWithAccess(app, readSealedAnswers, async ({ env, access, input }) => {
    await requireServingBridge(env, input.bridge_id, requireOwnHome(access))
    const responses = await getObject(env, 'BRIDGES', input.bridge_id).readSealedResponses(
      access.userId,
      input.ask_id,
      input.after,
    )
    if (responses === null) throw notFound()
    return { boxes: [...responses.boxes], over: responses.over }
  })
}

function requireOwnHome(access: AccountAccess): string {
  const home = listHomes(access).find(({ role }) => role === OWNER_ROLE)
  if (!home) throw forbidden('Only the owner of a home can add a camera.')
  return home.home_id
}

/**
 * Returns true for a demo account outside a local deployment. Such an account is public, so it must not add cameras.
 */
const isDemoRestricted = async (env: Env, userId: string): Promise<boolean> =>
  !isLocalDeployment(env) && (await isDemoAccount(env.DB, userId))

async function countRequest(env: Env, userId: string, now: number): Promise<void> {
  const limit = { name: userId, action: 'camera-ask', count: REQUESTS_PER_MINUTE, windowMs: MINUTE_MS }
  const { waitMs } = await countAttempt(env, [limit], now)
  if (waitMs > 0) throw tooManyRequests(waitMs)
}

interface ServingBridge {
  readonly bridge_id: string
  readonly name: string
}

/**
 * Returns the bridge that gets the requests for the home, preferably a connected one; null if the home has no bridge.
 * In a local deployment, first assigns the local bridge to a home without a bridge.
 */
async function chooseBridge(env: Env, homeId: string, now: number): Promise<ServingBridge | null> {
  let serving = await listBridges(env, homeId)
  if (serving.length === 0 && (await claimLocalBridge(env, homeId, now))) serving = await listBridges(env, homeId)
  for (const bridge of serving)
    if ((await getObject(env, 'BRIDGES', bridge.bridge_id).getStatus()).connected) return bridge
  return serving[0] ?? null
}

/**
 * Returns the bridge of a camera; null if the bridge no longer serves the home. Throws 403 or 404 if the account does
 * not own the camera, or 404 if the camera is in another home.
 */
async function findBridgeOfCamera(
  env: Env,
  access: AccountAccess,
  { home_id, device_id }: HomeCamera,
): Promise<ServingBridge | null> {
  const camera = requireCameraOwner(access, device_id)
  if (camera.home_id !== home_id) throw notFound()
  return (await listBridges(env, home_id)).find(({ bridge_id }) => bridge_id === camera.bridge_id) ?? null
}

async function listBridges(env: Env, homeId: string): Promise<ServingBridge[]> {
  const { results } = await env.DB.prepare(
    `SELECT bridge_id, coalesce(bridge_homes.name, bridges.name) AS name FROM bridge_homes JOIN bridges USING (bridge_id)
     WHERE home_id = ? AND revoked_at IS NULL ORDER BY bridges.created_at DESC, bridge_id LIMIT 20`,
  )
    .bind(homeId)
    .all<ServingBridge>()
  return results
}

/** Throws 404 if the bridge does not serve the home, even if the bridge exists. */
async function requireServingBridge(env: Env, bridgeId: string, homeId: string): Promise<void> {
  const serves = (await listBridges(env, homeId)).some(({ bridge_id }) => bridge_id === bridgeId)
  if (!serves) throw notFound()
}

/**
 * Assigns the local bridge to a home, in a local deployment only. Returns true if the bridge was assigned. The caller
 * checks that the home has no bridge. No enrollment code is necessary, because the user is at the machine.
 */
async function claimLocalBridge(env: Env, homeId: string, now: number): Promise<boolean> {
  if (!isLocalDeployment(env)) return false
  const bridge = await env.DB.prepare(
    `INSERT INTO bridge_homes (bridge_id, home_id, position, claimed)
     SELECT bridge_id, ?1, 1 + (SELECT coalesce(max(position), -1) FROM bridge_homes AS others WHERE others.bridge_id = bridges.bridge_id), 1
     FROM bridges WHERE machine = 1 AND revoked_at IS NULL ORDER BY created_at DESC LIMIT 1
     ON CONFLICT DO NOTHING RETURNING bridge_id`,
  )
    .bind(homeId)
    .first<string>('bridge_id')
  if (bridge === null) return false
  const name = await env.DB.prepare('SELECT name FROM bridges WHERE bridge_id = ?').bind(bridge).first<string>('name')
  recordHomeActivity(env, homeId, { kind: 'bridge-added', who: null, value: name ?? '' }, now)
  await getObject(env, 'BRIDGES', bridge).sendWelcome()
  return true
}
