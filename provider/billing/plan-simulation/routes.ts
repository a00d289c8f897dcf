import type { Hono } from 'hono'
import { KeyedRateLimiter } from '../../../contract/wire/rate-limiter.ts'
import { simulatePlans } from '../../../contract/billing/payment-calls.ts'
import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import type { AccountAccess } from '../../homes/members/account-access.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import type { AppEnv, Env } from '../../env.ts'
import { enforceRateLimit } from '../../platform/rate-limits/enforce-rate-limit.ts'
import { serveCallWithAccess } from '../../platform/http/serve-call.ts'
import { resolveEntitlements, isRunning, isSku } from '../plans/entitlements.ts'
import { listHomesWithPlans } from '../plans/plan-rows.ts'
import { getRetentionStart } from '../plans/event-visibility.ts'
import { listQueriesSince } from '../../search/search-account-rows.ts'
import type { HomeSimulation } from './home-plan-simulation.ts'
import { listReaches, listTiers, SIMULATION_DAYS, buildSimulation } from './simulation-rules.ts'

/** Rate limit per account. Each request reads up to a month of events in every home that the account owns. */
const simulationRateLimiter = new KeyedRateLimiter({ burst: 30, perSecond: 0.5 })
/** Maximum number of recent searches that the simulation repeats. */
const MAX_SEARCHES = 20

/** Mounts the plan simulation (EXT-plan-truth). */
export function planSimulationRoutes(app: Hono<AppEnv>): void {
  serveCallWithAccess(app, simulatePlans, ({ env, access, now }) => {
    enforceRateLimit(simulationRateLimiter, access.userId, now)
    return simulateAllPlans(env, access, now)
  })
}

/**
 * Simulates each plan on the last `SIMULATION_DAYS` days of the homes that the account owns. For each plan, counts the
 * clips that the plan would show and the past searches that would find a match.
 */
async function simulateAllPlans(env: Env, access: AccountAccess, now: number) {
  const { userId } = access
  const searches = await listQueriesSince(env.DB, userId, getRetentionStart(SIMULATION_DAYS, now), MAX_SEARCHES)
  const ownHomes = listHomesWithPlans(env, access).filter(({ role }) => role === OWNER_ROLE)
  const cameras = new Map<string, Sku | null>(
    ownHomes.flatMap((home) =>
      [...resolveEntitlements(home.plans, home.cameras, now)].map(([id, { plan }]) => [id, plan?.sku ?? null] as const),
    ),
  )
  const running = ownHomes.flatMap(({ plans }) =>
    plans.subscriptions.filter((subscription) => isRunning(subscription, now)),
  )
  const tiers = listTiers(cameras, running.map(({ sku }) => sku).filter(isSku))
  const request = { searches, reaches: listReaches(tiers) }
  const answers = await Promise.all(
    ownHomes.map(({ home_id }) => homeStub(env, home_id).simulatePlans(userId, request, now)),
  )
  const homeResults = answers.filter((answer) => answer !== null) as HomeSimulation[]
  return buildSimulation(
    { tiers, cameraIds: [...cameras.keys()] },
    homeResults.flatMap(({ counts }) => counts),
    homeResults.map(({ found }) => found),
    now,
  )
}
