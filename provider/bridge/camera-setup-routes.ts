import type { Hono } from 'hono'
import { askBridge, openCameraDoor, readAnswers } from '../../contract/cameras/camera-setup.ts'
import { OWNER } from '../../contract/auth/roles.ts'
import { isDemo } from '../accounts/account-rows.ts'
import { listHomes } from '../homes/members/memberships.ts'
import { forbidden, notFound, ApiError, tooManyRequests } from '../platform/api-error.ts'
import { isLocalDeployment } from '../platform/local-deployment.ts'
import type { AppEnv, Env } from '../env.ts'
import { countAttempt } from '../platform/rate-limits/attempt-limits.ts'
import { serveCall } from '../platform/http/serve-call.ts'
import { claimMachineBridge } from './claim-local-bridge.ts'
import { MINUTE_MS } from '../../contract/time-units.ts'

/**
 * Rate limit per account and minute for key requests and sealed requests together. A person tries a few addresses and
 * retries now and then.
 */
const ASKS_A_MINUTE = 40
const DEMO = 'Cameras cannot be added to a demo account from here: everybody may sign in as it.'

/**
 * Mounts the calls with which an owner adds a camera. Requests and responses are sealed; the provider cannot open them.
 */
export function cameraRoutes(app: Hono<AppEnv>): void {
  serveCall(app, openCameraDoor, async ({ env, account, now }) => {
    const home = await ownHome(env, account.userId)
    if (await isRefused(env, account.userId)) return { state: 'demo' as const }
    await count(env, account.userId, now)
    const bridge = await bridgeToAsk(env, home, now)
    if (!bridge) return { state: 'no_bridge' as const }
    const { bridge_id, name } = bridge
    const door = await env.BRIDGES.getByName(bridge_id).door()
    return door.state === 'open' ? { ...door, bridge_id, home_id: home, name } : { state: door.state, name }
  })

  serveCall(app, askBridge, async ({ env, account, input, now }) => {
    const home = await ownHome(env, account.userId)
    await mustServe(env, input.bridge_id, home)
    if (await isRefused(env, account.userId)) throw forbidden(DEMO)
    await count(env, account.userId, now)
    const result = await env.BRIDGES.getByName(input.bridge_id).sendSealedRequest(account.userId, home, input.sealed)
    if (result === 'too_many') throw tooManyRequests(MINUTE_MS / 6)
    if (result === 'bridge_off') throw new ApiError(409, 409, 'The box at home is not connected.')
    return { ask_id: result }
  })

  serveCall(app, readAnswers, async ({ env, account, input }) => {
    await mustServe(env, input.bridge_id, await ownHome(env, account.userId))
    const answers = await env.BRIDGES.getByName(input.bridge_id).readAnswers(account.userId, input.ask_id, input.after)
    if (answers === null) throw notFound()
    return { boxes: [...answers.boxes], over: answers.over }
  })
}

/** Returns the account's own home; throws 403 without one. */
async function ownHome(env: Env, userId: string): Promise<string> {
  const home = (await listHomes(env, userId)).find(({ role }) => role === OWNER)
  if (!home) throw forbidden('Only the owner of a home can add a camera.')
  return home.home_id
}

/** A demo account is public, so it may add cameras only in a local deployment, whose user sits at the machine. */
const isRefused = async (env: Env, userId: string): Promise<boolean> =>
  !isLocalDeployment(env) && (await isDemo(env.DB, userId))

async function count(env: Env, userId: string, now: number): Promise<void> {
  const limit = { name: userId, action: 'camera-ask', count: ASKS_A_MINUTE, windowMs: MINUTE_MS }
  const { waitMs } = await countAttempt(env, [limit], now)
  if (waitMs > 0) throw tooManyRequests(waitMs)
}

interface Serving {
  readonly bridge_id: string
  readonly name: string
}

/**
 * Returns the bridge to which requests for the home are sent: a connected bridge if possible, null if the home has
 * none.
 */
async function bridgeToAsk(env: Env, home: string, now: number): Promise<Serving | null> {
  let serving = await listBridges(env, home)
  if (serving.length === 0 && (await claimMachineBridge(env, home, now))) serving = await listBridges(env, home)
  for (const bridge of serving) if ((await env.BRIDGES.getByName(bridge.bridge_id).status()).connected) return bridge
  return serving[0] ?? null
}

async function listBridges(env: Env, home: string): Promise<Serving[]> {
  const { results } = await env.DB.prepare(
    `SELECT bridge_id, coalesce(bridge_homes.name, bridges.name) AS name FROM bridge_homes JOIN bridges USING (bridge_id)
     WHERE home_id = ? AND revoked_at IS NULL ORDER BY bridges.created_at DESC, bridge_id LIMIT 20`,
  )
    .bind(home)
    .all<Serving>()
  return results
}

/** Throws 404 for a bridge that does not serve the home, even if it exists. */
async function mustServe(env: Env, bridgeId: string, home: string): Promise<void> {
  const serves = (await listBridges(env, home)).some(({ bridge_id }) => bridge_id === bridgeId)
  if (!serves) throw notFound()
}
