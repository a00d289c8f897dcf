import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types'
import type { Env } from '../env.ts'
import { OWNER } from '../../contract/roles.ts'
import { type SeenHome, SEEN_HOMES } from '../access/lookup.ts'
import type { BoundCamera, OwnedPlan } from './entitlement.ts'

/** What `entitlementsOf` has to know of a home. */
export interface HomePlans {
  readonly subscriptions: readonly OwnedPlan[]
  readonly bindings: readonly BoundCamera[]
}

export interface PlannedHome extends SeenHome {
  readonly plans: HomePlans
}

type PlanRow = OwnedPlan & { home_id: string }
type BindingRow = BoundCamera & { home_id: string }

/** What those who own these homes have; `homes`: SQL of ids of homes, whose parameters follow. */
function planStatements(db: D1Database, homes: string, ...values: string[]): D1PreparedStatement[] {
  const owned = `home_members AS own JOIN subscriptions USING (user_id)`
  const where = `own.role = ${OWNER} AND own.home_id IN (${homes})`
  return [
    `SELECT own.home_id, subscription_id, user_id, sku, status, quantity, renews_at, subscriptions.created_at
     FROM ${owned} WHERE ${where}`,
    `SELECT own.home_id, device_id, subscription_id, bound_at
     FROM ${owned} JOIN bindings USING (subscription_id) WHERE ${where}`,
  ].map((sql) => db.prepare(sql).bind(...values))
}

function plansOf(homeId: string, plans: readonly PlanRow[], bindings: readonly BindingRow[]): HomePlans {
  const isOf = (row: { home_id: string }) => row.home_id === homeId
  return { subscriptions: plans.filter(isOf), bindings: bindings.filter(isOf) }
}

/** Homes of which the account sees anything, as `seenHomes` answers them, with what their owners have. */
export async function plannedHomes(env: Env, userId: string): Promise<PlannedHome[]> {
  const [homes, plans, bindings] = await env.DB.batch([
    env.DB.prepare(SEEN_HOMES).bind(userId),
    ...planStatements(env.DB, `SELECT home_id FROM (${SEEN_HOMES})`, userId),
  ])
  return ((homes?.results ?? []) as SeenHome[]).map((home) => ({
    ...home,
    plans: plansOf(home.home_id, (plans?.results ?? []) as PlanRow[], (bindings?.results ?? []) as BindingRow[]),
  }))
}
