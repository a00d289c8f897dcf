import type { D1Database } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { subscription, type Subscription } from '../../contract/plans.ts'
import { isRunning } from '../plans/entitlement.ts'

const SCHEDULED = subscription.entries.scheduled

const SELECT = `
  SELECT subscription_id, sku, status, quantity, period, billing_provider, renews_at, channel, revision, since, scheduled,
    next_at, next_total
  FROM subscriptions WHERE user_id = ? ORDER BY created_at, subscription_id`

interface Row extends Omit<Subscription, 'running' | 'scheduled' | 'next'> {
  readonly scheduled: string | null
  readonly next_at: number | null
  readonly next_total: number | null
}

/** The account's subscriptions as their ledger has told them, the oldest first; those that have ended too. */
export async function subscriptionsOf(db: D1Database, userId: string, now: number): Promise<Subscription[]> {
  const { results } = await db.prepare(SELECT).bind(userId).all<Row>()
  return results.map(({ scheduled, next_at, next_total, ...row }) => ({
    ...row,
    scheduled: scheduled === null ? null : v.parse(SCHEDULED, JSON.parse(scheduled)),
    next: next_at === null || next_total === null ? null : { at: next_at, total: next_total },
    running: isRunning(row, now),
  }))
}
