import type { D1Database } from '@cloudflare/workers-types'
import type { Subscription } from '../../contract/plans.ts'
import { isRunning } from '../plans/entitlement.ts'

type Stored = Omit<Subscription, 'running'>

const SELECT = `
  SELECT subscription_id, sku, status, quantity, period, billing_provider, renews_at
  FROM subscriptions WHERE user_id = ? ORDER BY created_at, subscription_id`

/** The account's subscriptions, the oldest first; those that have ended too. */
export async function subscriptionsOf(db: D1Database, userId: string, now: number): Promise<Subscription[]> {
  const { results } = await db.prepare(SELECT).bind(userId).all<Stored>()
  return results.map((row) => ({ ...row, running: isRunning(row, now) }))
}

/** Adds a subscription; one that has the same id already is left alone. */
export async function addSubscription(db: D1Database, userId: string, row: Stored, now: number): Promise<void> {
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
