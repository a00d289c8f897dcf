import type { Binding } from '../../../contract/billing/licenses.ts'
import type { Env } from '../../env.ts'
import type { AccountAccess } from '../../homes/members/account-access.ts'
import { listCameraAccess } from '../../homes/members/camera-access.ts'
import { resolveEntitlements, type CoveringPlan } from '../plans/entitlements.ts'
import { listHomesWithPlans } from '../plans/plan-rows.ts'

/**
 * Returns, for each camera of `ids` that the account may see, the plan that covers the camera and the license that the
 * account has assigned to the camera.
 */
export async function listLicenseAssignments(
  env: Env,
  access: AccountAccess,
  ids: readonly string[],
  now: number,
): Promise<Binding[]> {
  const { userId } = access
  const homes = listHomesWithPlans(env, access)
  const ownLicenses = await listOwnLicenses(env, userId, ids)
  return listCameraAccess(access, ids).flatMap(({ device_id, home_id }) => {
    const plans = homes.find((home) => home.home_id === home_id)?.plans
    const entitlement = plans && resolveEntitlements(plans, [device_id], now).get(device_id)
    if (!entitlement) return []
    const license = ownLicenses.get(device_id)
    return {
      device_mac: device_id,
      plan: entitlement.plan && toVisiblePlan(userId, entitlement.plan),
      bound_to: license?.subscription_id ?? null,
      bound_at: license?.camera_bound_at ?? undefined,
      keeps_days: entitlement.keepsDays,
    }
  })
}

interface LicenseRow {
  readonly device_id: string
  readonly subscription_id: string
  readonly camera_bound_at: number | null
}

/** Returns the account's licenses by camera id. Includes licenses on cameras of other owners. */
async function listOwnLicenses(env: Env, userId: string, ids: readonly string[]): Promise<Map<string, LicenseRow>> {
  const { results } = await env.DB.prepare(
    `SELECT device_id, subscription_id, camera_bound_at FROM bindings JOIN subscriptions USING (subscription_id)
     WHERE user_id = ? AND device_id IN (SELECT value FROM json_each(?))`,
  )
    .bind(userId, JSON.stringify(ids))
    .all<LicenseRow>()
  return new Map(results.map((row) => [row.device_id, row]))
}

function toVisiblePlan(
  userId: string,
  { subscription_id, user_id, sku, by }: CoveringPlan,
): NonNullable<Binding['plan']> {
  return { subscription_id: user_id === userId ? subscription_id : null, sku, by }
}
