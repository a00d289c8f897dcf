import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types'
import { OWNER } from '../../../contract/auth/roles.ts'
import type { Env } from '../../env.ts'
import { type SeenHome, SEEN_HOMES } from '../../homes/members/memberships.ts'
import {
  resolveEntitlements,
  type BoundCamera,
  type Entitlement,
  type HomePlans,
  type OwnedPlan,
} from './entitlements.ts'

/** Home to which an account has access, with the plans of the home's owners. */
export interface PlannedHome extends SeenHome {
  readonly plans: HomePlans
  readonly cameras: readonly string[]
}

type OfHome<T> = T & { home_id: string }

/**
 * Returns statements that select the plans and licenses of the owners of homes. `homes`: SQL that selects the home ids
 * by the parameter `?1`.
 */
function planStatements(db: D1Database, homes: string, value: string): D1PreparedStatement[] {
  const owned = `home_members AS own JOIN subscriptions USING (user_id)`
  const where = `own.role = ${OWNER} AND own.home_id IN (${homes})`
  return [
    `SELECT own.home_id, subscription_id, user_id, sku, status, quantity, renews_at - clock AS renews_at,
       paused_until - clock AS paused_until, subscriptions.created_at
     FROM ${owned} WHERE ${where}`,
    `SELECT own.home_id, device_id, subscription_id, bound_at
     FROM ${owned} JOIN bindings USING (subscription_id) WHERE ${where}`,
  ].map((sql) => db.prepare(sql).bind(value))
}

/** `?1`: user id of the account. */
const SEEN_CAMERAS = `SELECT devices.home_id, devices.device_id FROM devices
  LEFT JOIN home_members ON home_members.home_id = devices.home_id AND home_members.user_id = ?1
  LEFT JOIN shares ON shares.device_id = devices.device_id AND shares.home_id = devices.home_id AND shares.user_id = ?1
  WHERE devices.home_id IN (SELECT home_id FROM (${SEEN_HOMES})) AND coalesce(home_members.role, shares.role) IS NOT NULL`

/**
 * Returns the homes to which the account has access, in the order of `SEEN_HOMES`, with the plans of the homes' owners.
 */
export async function plannedHomes(env: Env, userId: string): Promise<PlannedHome[]> {
  const answers = await env.DB.batch<unknown>([
    env.DB.prepare(SEEN_HOMES).bind(userId),
    env.DB.prepare(SEEN_CAMERAS).bind(userId),
    ...planStatements(env.DB, `SELECT home_id FROM (${SEEN_HOMES})`, userId),
  ])
  const [homes = [], cameras = [], plans = [], bindings = []] = answers.map(({ results }) => results)
  return (homes as SeenHome[]).map((home) => {
    const here = <T>(rows: unknown[]) => (rows as OfHome<T>[]).filter(({ home_id }) => home_id === home.home_id)
    return {
      ...home,
      plans: { subscriptions: here<OwnedPlan>(plans), bindings: here<BoundCamera>(bindings) },
      cameras: here<{ device_id: string }>(cameras).map(({ device_id }) => device_id),
    }
  })
}

/** Returns the plans of the home's owners; null if it has no owner. */
export async function plansOfHome(env: Env, homeId: string): Promise<HomePlans | null> {
  const answers = await env.DB.batch<unknown>([
    env.DB.prepare(`SELECT 1 AS one FROM home_members WHERE home_id = ? AND role = ${OWNER} LIMIT 1`).bind(homeId),
    ...planStatements(env.DB, '?1', homeId),
  ])
  const [owners = [], subscriptions = [], bindings = []] = answers.map(({ results }) => results)
  if (owners.length === 0) return null
  return { subscriptions: subscriptions as OwnedPlan[], bindings: bindings as BoundCamera[] }
}

export const NO_PLANS: HomePlans = { subscriptions: [], bindings: [] }

/** Device id that stands for a camera added later, which the whole-home plans would cover. */
const TO_COME = ''

/**
 * Returns the account's entitlements in the home: of each camera that it sees, and for members also of a future camera.
 */
export function entitlementsInHome({ role, plans, cameras }: PlannedHome, now: number): Entitlement[] {
  return [...resolveEntitlements(plans, role === null ? cameras : [...cameras, TO_COME], now).values()]
}

/** Returns the longest retention period in the home, days, among the cameras that the account sees. */
export const mostDays = (home: PlannedHome, now: number): number =>
  Math.max(0, ...entitlementsInHome(home, now).map(({ keepsDays }) => keepsDays))
