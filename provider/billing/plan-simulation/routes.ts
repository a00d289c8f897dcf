import type { Hono } from 'hono'
import { KeyedRateLimiter } from '../../../contract/wire/rate-limiter.ts'
import { simulatePlans } from '../../../contract/billing/payment-calls.ts'
import { OWNER } from '../../../contract/auth/roles.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import type { AppEnv, Env } from '../../env.ts'
import { enforceRateLimit } from '../../platform/rate-limits/enforce-rate-limit.ts'
import { serveCall } from '../../platform/http/serve-call.ts'
import { resolveEntitlements, isRunning, isSku } from '../plans/entitlements.ts'
import { plannedHomes } from '../plans/plan-rows.ts'
import { keptSince } from '../plans/event-visibility.ts'
import { queriesSince } from '../../search/search-account-rows.ts'
import type { HomeTruth } from './home-plan-simulation.ts'
import { listReaches, listTiers, TRUTH_DAYS, buildSimulation } from './simulation-rules.ts'

/** A request reads a month of every home; this rate suffices for comparing plans. */
const questions = new KeyedRateLimiter({ burst: 10, perSecond: 0.2 })
/** Maximum number of recent searches that are repeated. */
const SEARCHES = 20

/** Mounts the plan simulation (EXT-plan-truth). */
export function truthRoutes(app: Hono<AppEnv>): void {
  serveCall(app, simulatePlans, ({ env, account: { userId }, now }) => {
    enforceRateLimit(questions, userId, now)
    return answerTruth(env, userId, now)
  })
}

/**
 * Returns how many clips of the last days each plan would still have in the account's own homes, and how many of the
 * account's searches would match. The searches run again with their stored words. Only clips that are still stored
 * count, even if the current plan hides them.
 */
async function answerTruth(env: Env, userId: string, now: number) {
  const [homes, searches] = await Promise.all([
    plannedHomes(env, userId),
    queriesSince(env.DB, userId, keptSince(TRUTH_DAYS, now), SEARCHES),
  ])
  const own = homes.filter(({ role }) => role === OWNER)
  const cameras = new Map<string, Sku | null>(
    own.flatMap((home) =>
      [...resolveEntitlements(home.plans, home.cameras, now)].map(([id, { plan }]) => [id, plan?.sku ?? null] as const),
    ),
  )
  const running = own.flatMap(({ plans }) => plans.subscriptions.filter((subscription) => isRunning(subscription, now)))
  const tiers = listTiers(cameras, running.map(({ sku }) => sku).filter(isSku))
  const request = { searches, reaches: listReaches(tiers) }
  const answers = await Promise.all(own.map(({ home_id }) => homeStub(env, home_id).planTruth(userId, request, now)))
  const homeResults = answers.filter((answer) => answer !== null) as HomeTruth[]
  return buildSimulation(
    { tiers, cameras: cameras.size },
    homeResults.flatMap(({ counts }) => counts),
    homeResults.map(({ found }) => found),
    now,
  )
}
