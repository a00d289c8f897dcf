import type { Hono } from 'hono'
import { Pace } from '../../../contract/wire/rate-limiter.ts'
import { planTruth } from '../../../contract/billing/payment-calls.ts'
import { OWNER } from '../../../contract/auth/roles.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import type { AppEnv, Env } from '../../env.ts'
import { requirePace } from '../../platform/rate-limits/enforce-rate-limit.ts'
import { serve } from '../../platform/http/serve-call.ts'
import { entitlementsOf, isRunning, isSku } from '../plans/entitlements.ts'
import { plannedHomes } from '../plans/plan-rows.ts'
import { keptSince } from '../plans/event-visibility.ts'
import { queriesSince } from '../../search/search-account-rows.ts'
import type { HomeTruth } from './home-plan-simulation.ts'
import { reachesOf, tiersOf, TRUTH_DAYS, truthOf } from './simulation-rules.ts'

/** It reads a month of every home: often enough for somebody who goes through the plans. */
const questions = new Pace({ burst: 10, perSecond: 0.2 })
/** Searches that are looked for again, the latest. */
const SEARCHES = 20

/** Mounts what each plan would have of an account's last days (EXT-plan-truth). */
export function truthRoutes(app: Hono<AppEnv>): void {
  serve(app, planTruth, ({ env, account: { userId }, now }) => {
    requirePace(questions, userId, now)
    return answerTruth(env, userId, now)
  })
}

/**
 * Of the homes that the account owns: what of their last days each plan would still have, and which of the account's own searches it
 * would answer, looked for anew by their words. Only what is stored counts, whether or not the plan shows it now.
 */
async function answerTruth(env: Env, userId: string, now: number) {
  const [homes, searches] = await Promise.all([
    plannedHomes(env, userId),
    queriesSince(env.DB, userId, keptSince(TRUTH_DAYS, now), SEARCHES),
  ])
  const own = homes.filter(({ role }) => role === OWNER)
  const cameras = new Map<string, Sku | null>(
    own.flatMap((home) =>
      [...entitlementsOf(home.plans, home.cameras, now)].map(([id, { plan }]) => [id, plan?.sku ?? null] as const),
    ),
  )
  const running = own.flatMap(({ plans }) => plans.subscriptions.filter((one) => isRunning(one, now)))
  const tiers = tiersOf(cameras, running.map(({ sku }) => sku).filter(isSku))
  const asked = { searches, reaches: reachesOf(tiers) }
  const answers = await Promise.all(own.map(({ home_id }) => homeStub(env, home_id).planTruth(userId, asked, now)))
  const told = answers.filter((one) => one !== null) as HomeTruth[]
  return truthOf(
    { tiers, cameras: cameras.size },
    told.flatMap(({ counts }) => counts),
    told.map(({ found }) => found),
    now,
  )
}
