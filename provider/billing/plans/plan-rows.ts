import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types'
import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import type { Env } from '../../env.ts'
import type { AccessibleHome, AccountAccess } from '../../homes/members/account-access.ts'
import {
  resolveEntitlements,
  type LicenseAssignment,
  type Entitlement,
  type HomePlans,
  type OwnedPlan,
} from './entitlements.ts'

export interface HomeWithPlans extends AccessibleHome {
  readonly plans: HomePlans
  readonly cameras: readonly string[]
}

/**
 * Returns the plan that all cameras have without a purchase, in the form of a subscription that no account owns; none
 * without `HOME_PLAN`.
 */
const listHomePlan = ({ HOME_PLAN: sku }: Pick<Env, 'HOME_PLAN'>): OwnedPlan[] =>
  sku
    ? [{ subscription_id: 'home_plan', user_id: '', sku, status: 'active', quantity: 0, renews_at: 0, created_at: 0 }]
    : []

/**
 * Returns statements that select the plans and licenses of the owners of homes. `homeIdsSql`: SQL for the home ids,
 * with parameter `?1`.
 */
export function createPlanStatements(db: D1Database, homeIdsSql: string, value: string): D1PreparedStatement[] {
  const ownedSubscriptions = `home_members AS own JOIN subscriptions USING (user_id)`
  const where = `own.role = ${OWNER_ROLE} AND own.home_id IN (${homeIdsSql})`
  return [
    `SELECT own.home_id, subscription_id, user_id, sku, status, quantity, renews_at - clock AS renews_at,
       paused_until - clock AS paused_until, subscriptions.created_at
     FROM ${ownedSubscriptions} WHERE ${where}`,
    `SELECT own.home_id, device_id, subscription_id, bound_at
     FROM ${ownedSubscriptions} JOIN bindings USING (subscription_id) WHERE ${where}`,
  ].map((sql) => db.prepare(sql).bind(value))
}

/**
 * Returns the homes to which the account has access, in the order of `AccountAccess`, with the plans of their owners.
 */
export function listHomesWithPlans(
  env: Env,
  { homes, cameras, subscriptions, bindings }: AccountAccess,
): HomeWithPlans[] {
  return homes.map(({ home_id, role }) => {
    const ofHome = <T extends { readonly home_id: string }>(rows: readonly T[]) =>
      rows.filter((row) => row.home_id === home_id)
    return {
      home_id,
      role,
      plans: { subscriptions: [...listHomePlan(env), ...ofHome(subscriptions)], bindings: ofHome(bindings) },
      cameras: ofHome(cameras).map(({ device_id }) => device_id),
    }
  })
}

/** Returns the plans of a home to which the account has access; no plans without access. */
export const findHomePlans = (env: Env, access: AccountAccess, homeId: string): HomePlans =>
  listHomesWithPlans(env, access).find(({ home_id }) => home_id === homeId)?.plans ?? NO_PLANS

/** Returns the plans of the home's owners; null if it has no owner. */
export async function readHomePlans(env: Env, homeId: string): Promise<HomePlans | null> {
  const results = await env.DB.batch<unknown>(createHomePlanStatements(env.DB, '?1', homeId))
  return toHomePlans(
    env,
    homeId,
    results.map((result) => result.results),
  )
}

/** Returns statements for `toHomePlans`. `homeIdsSql`: SQL for the home ids, with parameter `?1`. */
export const createHomePlanStatements = (db: D1Database, homeIdsSql: string, value: string): D1PreparedStatement[] => [
  db
    .prepare(`SELECT DISTINCT home_id FROM home_members WHERE home_id IN (${homeIdsSql}) AND role = ${OWNER_ROLE}`)
    .bind(value),
  ...createPlanStatements(db, homeIdsSql, value),
]

/** Returns the plans of the home's owners from the rows of `createHomePlanStatements`; null if it has no owner. */
export function toHomePlans(env: Env, homeId: string, rows: readonly (readonly unknown[])[]): HomePlans | null {
  const [owners = [], subscriptions = [], bindings = []] = rows.map((table) =>
    (table as { home_id: string }[]).filter(({ home_id }) => home_id === homeId),
  )
  if (owners.length === 0) return null
  return {
    subscriptions: [...listHomePlan(env), ...(subscriptions as unknown as OwnedPlan[])],
    bindings: bindings as unknown as LicenseAssignment[],
  }
}

export const NO_PLANS: HomePlans = { subscriptions: [], bindings: [] }

/** Placeholder id for a camera that may be added later. Only plans for the whole home cover it. */
const FUTURE_CAMERA_ID = ''

/**
 * Returns the account's entitlements in the home: one per visible camera. Owners and members also get the entitlement
 * of a future camera.
 */
export function listEntitlements({ role, plans, cameras }: HomeWithPlans, now: number): Entitlement[] {
  return [...resolveEntitlements(plans, role === null ? cameras : [...cameras, FUTURE_CAMERA_ID], now).values()]
}

/** Returns the longest retention period of the account's entitlements in the home, in days; 0 if there are none. */
export const getLongestRetentionDays = (home: HomeWithPlans, now: number): number =>
  Math.max(0, ...listEntitlements(home, now).map(({ keepsDays }) => keepsDays))
