import { FREE_RETENTION_DAYS } from '../../../contract/billing/plan-catalog.ts'
import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import type { AccountAccess } from '../../homes/members/account-access.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import type { Env } from '../../env.ts'
import { resolveEntitlements, type Entitlement } from '../plans/entitlements.ts'
import { listHomesWithPlans, type HomeWithPlans } from '../plans/plan-rows.ts'
import type { ClipCount } from '../plan-simulation/simulation-rules.ts'

/** Longest retention period of all plans. */
const DAYS_MAX = 60
/** A camera counts as in use if it had a clip within this number of days. */
const RECENT_DAYS = 30
/** Maximum number of R2 list pages that are read per home. Each page lists a thousand objects. */
const PAGES_MAX = 5

interface Requester {
  readonly access: AccountAccess
  /** ms UTC */
  readonly now: number
}

/** Effect of canceling a plan on the clips of the account's own homes. */
export interface AffectedClips {
  /** Number of clips that are visible now, and the longest retention period of any camera, in days. */
  readonly shown: number
  readonly shown_days: number
  /**
   * Number of clips that would be visible without the plan, and the longest retention period of any camera then, in
   * days.
   */
  readonly kept: number
  readonly kept_days: number
  /** Bytes of all stored clips of the account's own homes; 0 if the size is unknown for any of these homes. */
  readonly bytes: number
}

type HomeEntitlements = ReadonlyMap<string, Entitlement>

/**
 * Returns the entitlements of a home's cameras without the subscription `excludedSubscriptionId`; null: with all
 * subscriptions.
 */
function resolveHomeEntitlements(
  { plans, cameras }: HomeWithPlans,
  now: number,
  excludedSubscriptionId: string | null,
): HomeEntitlements {
  const subscriptions = plans.subscriptions.filter(({ subscription_id }) => subscription_id !== excludedSubscriptionId)
  return resolveEntitlements({ ...plans, subscriptions }, cameras, now)
}

/**
 * Counts the visible clips. A covered camera shows all clips of its retention period. Other cameras show only recent
 * clips that are included without a plan.
 */
function countShownClips(entitlements: HomeEntitlements, counts: readonly ClipCount[]): number {
  const isShown = ({ device_id, age, free }: ClipCount) => {
    const entitlement = entitlements.get(device_id)
    if (entitlement === undefined) return false
    return entitlement.plan === null ? age < FREE_RETENTION_DAYS && free === 1 : age < entitlement.keepsDays
  }
  return counts.reduce((sum, count) => sum + (isShown(count) ? count.clips : 0), 0)
}

const getMaxRetentionDays = (homeEntitlements: readonly HomeEntitlements[]): number =>
  Math.max(
    FREE_RETENTION_DAYS,
    ...homeEntitlements.flatMap((entitlements) => [...entitlements.values()].map(({ keepsDays }) => keepsDays)),
  )

const listOwnHomes = (env: Env, access: AccountAccess): HomeWithPlans[] =>
  listHomesWithPlans(env, access).filter(({ role }) => role === OWNER_ROLE)

async function readClipCounts(
  env: Env,
  homeId: string,
  { access: { userId }, now }: Requester,
  days: number,
): Promise<readonly ClipCount[]> {
  const simulation = await homeStub(env, homeId).simulatePlans(userId, { searches: [], reaches: [], days }, now)
  return simulation === null ? [] : [...simulation.counts]
}

/** Returns bytes and number of the clips stored for the home. Reads at most `PAGES_MAX` list pages, in name order. */
async function countStoredClips({ MEDIA }: Env, homeId: string): Promise<{ bytes: number; clips: number }> {
  let [bytes, clips] = [0, 0]
  let cursor: string | undefined
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const found = await MEDIA.list({ prefix: `h/${homeId}/clip/`, ...(cursor !== undefined && { cursor }) })
    bytes += found.objects.reduce((sum, { size }) => sum + size, 0)
    clips += found.objects.length
    if (!found.truncated) break
    cursor = found.cursor
  }
  return { bytes, clips }
}

/**
 * Counts the clips of the account's own homes that are visible now, and those that would be visible without the
 * subscription.
 */
export async function countAffectedClips(
  env: Env,
  requester: Requester,
  subscriptionId: string,
): Promise<AffectedClips> {
  const homes = listOwnHomes(env, requester.access)
  const results = await Promise.all(
    homes.map(async (home) => {
      const [counts, stored] = await Promise.all([
        readClipCounts(env, home.home_id, requester, DAYS_MAX),
        countStoredClips(env, home.home_id),
      ])
      const [currentEntitlements, remainingEntitlements] = [
        resolveHomeEntitlements(home, requester.now, null),
        resolveHomeEntitlements(home, requester.now, subscriptionId),
      ]
      const shownClips = countShownClips(currentEntitlements, counts)
      // The size is unknown if fewer clips are found than are visible. Demo clips are stored outside the home, and only
      // `PAGES_MAX` list pages are read.
      const bytes = stored.clips < shownClips ? null : stored.bytes
      return {
        now: currentEntitlements,
        then: remainingEntitlements,
        bytes,
        shown: shownClips,
        kept: countShownClips(remainingEntitlements, counts),
      }
    }),
  )
  const sum = (of: 'shown' | 'kept') => results.reduce((all, result) => all + result[of], 0)
  return {
    shown: sum('shown'),
    shown_days: getMaxRetentionDays(results.map(({ now }) => now)),
    kept: sum('kept'),
    kept_days: getMaxRetentionDays(results.map(({ then }) => then)),
    bytes: results.some(({ bytes }) => bytes === null) ? 0 : results.reduce((all, { bytes }) => all + (bytes ?? 0), 0),
  }
}

/**
 * Returns how many of the cameras that the subscription covers in the account's own homes had clips in the last
 * `RECENT_DAYS` days. Returns 0 if all these cameras had clips, because a plan for fewer cameras then makes no sense.
 */
export async function countCamerasInUse(env: Env, requester: Requester, subscriptionId: string): Promise<number> {
  const homes = listOwnHomes(env, requester.access)
  const results = await Promise.all(
    homes.map(async (home) => {
      const covered = [...resolveHomeEntitlements(home, requester.now, null)].flatMap(([id, { plan }]) =>
        plan?.subscription_id === subscriptionId ? [id] : [],
      )
      const counts = covered.length === 0 ? [] : await readClipCounts(env, home.home_id, requester, RECENT_DAYS)
      const used = new Set(counts.map(({ device_id }) => device_id))
      return { covered: covered.length, used: covered.filter((id) => used.has(id)).length }
    }),
  )
  const [covered, used] = [
    results.reduce((sum, result) => sum + result.covered, 0),
    results.reduce((sum, result) => sum + result.used, 0),
  ]
  return used < covered ? used : 0
}
