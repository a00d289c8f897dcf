import type { Env } from '../../env.ts'
import type { Opening } from './ledger-calls.ts'
import type { OpenLicense } from './legacy-import.ts'

export const SUBSCRIPTIONS_BEFORE = `
  SELECT subscription_id, sku, channel, status, quantity, period, billing_provider, renews_at,
    CASE since WHEN 0 THEN created_at ELSE since END AS since
  FROM subscriptions WHERE user_id = ? AND seq = 0 ORDER BY created_at, subscription_id`

export const BINDINGS_BEFORE = `
  SELECT device_id, subscription_id, bound_at FROM bindings JOIN subscriptions USING (subscription_id)
  WHERE user_id = ? AND seq = 0 ORDER BY bound_at, device_id`

/** Returns subscriptions and licenses of an account in D1 from before it had a ledger. */
export async function rowsBefore(env: Env, account: string): Promise<{ openings: Opening[]; licences: OpenLicense[] }> {
  const [subscriptions, bindings] = await env.DB.batch<unknown>(
    [SUBSCRIPTIONS_BEFORE, BINDINGS_BEFORE].map((sql) => env.DB.prepare(sql).bind(account)),
  )
  return { openings: (subscriptions?.results ?? []) as Opening[], licences: (bindings?.results ?? []) as OpenLicense[] }
}
