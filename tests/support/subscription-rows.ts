import type { D1Database } from '@cloudflare/workers-types'
import type { Subscription } from '../../contract/billing/subscriptions.ts'

type StoredSubscription = Pick<
  Subscription,
  'subscription_id' | 'sku' | 'status' | 'quantity' | 'period' | 'billing_provider' | 'renews_at'
>

/**
 * Inserts a subscription into D1 only, as versions without a ledger did. Does not replace an existing row with the same
 * id.
 */
export async function addSubscription(
  db: D1Database,
  userId: string,
  row: StoredSubscription,
  now: number,
): Promise<void> {
  await db
    .prepare(
      `INSERT OR IGNORE INTO subscriptions
       (subscription_id, user_id, sku, status, quantity, period, billing_provider, renews_at, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .bind(
      row.subscription_id,
      userId,
      row.sku,
      row.status,
      row.quantity,
      row.period,
      row.billing_provider,
      row.renews_at,
      now,
    )
    .run()
}
