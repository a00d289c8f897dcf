import type { Env } from '../../env.ts'
import type { ImportedSubscription } from './ledger-calls.ts'
import type { LegacyLicense } from './legacy-import.ts'

export const LEGACY_SUBSCRIPTIONS_SQL = `
  SELECT subscription_id, sku, channel, status, quantity, period, billing_provider, renews_at,
    CASE since WHEN 0 THEN created_at ELSE since END AS since
  FROM subscriptions WHERE user_id = ? AND seq = 0 ORDER BY created_at, subscription_id`

export const LEGACY_LICENSES_SQL = `
  SELECT device_id, subscription_id, bound_at FROM bindings JOIN subscriptions USING (subscription_id)
  WHERE user_id = ? AND seq = 0 ORDER BY bound_at, device_id`

/** Returns the D1 subscriptions and licenses that an account had before it got a ledger. */
export async function readLegacyRows(
  env: Env,
  account: string,
): Promise<{ openings: ImportedSubscription[]; licences: LegacyLicense[] }> {
  const [subscriptions, bindings] = await env.DB.batch<unknown>(
    [LEGACY_SUBSCRIPTIONS_SQL, LEGACY_LICENSES_SQL].map((sql) => env.DB.prepare(sql).bind(account)),
  )
  return {
    openings: (subscriptions?.results ?? []) as ImportedSubscription[],
    licences: (bindings?.results ?? []) as LegacyLicense[],
  }
}
