import type { D1Database } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { subscription, type Subscription } from '../../../contract/billing/subscriptions.ts'
import { isRunning } from './entitlements.ts'

const scheduledSchema = subscription.entries.scheduled

const SELECT_SUBSCRIPTIONS = `
  SELECT subscription_id, sku, status, quantity, period, billing_provider, renews_at, channel, revision, since, scheduled,
    next_at, next_total, paused_until, more, clock
  FROM subscriptions WHERE user_id = ? ORDER BY created_at, subscription_id`

interface SubscriptionRow extends Omit<Subscription, 'running' | 'scheduled' | 'next' | 'leaving' | 'open'> {
  readonly more: string | null
  readonly scheduled: string | null
  readonly next_at: number | null
  readonly next_total: number | null
}

/** Returns the account's subscriptions from the ledger's projection, oldest first, including ended ones. */
export async function listSubscriptions(db: D1Database, userId: string, now: number): Promise<Subscription[]> {
  const { results } = await db.prepare(SELECT_SUBSCRIPTIONS).bind(userId).all<SubscriptionRow>()
  return results.map(({ scheduled, next_at, next_total, more, ...row }) => ({
    ...row,
    ...parseExtras(more),
    paused_until: isPaused(row, now) ? row.paused_until : null,
    scheduled: scheduled === null ? null : v.parse(scheduledSchema, JSON.parse(scheduled)),
    next: next_at === null || next_total === null ? null : { at: next_at, total: next_total },
    running: isRunning(row, now + row.clock),
  }))
}

const isPaused = ({ paused_until, clock }: Pick<SubscriptionRow, 'paused_until' | 'clock'>, now: number) =>
  paused_until !== null && paused_until > now + clock

const extrasSchema = v.pick(subscription, ['leaving', 'open'])

const parseExtras = (more: string | null) =>
  more === null ? { leaving: null, open: null } : v.parse(extrasSchema, JSON.parse(more))
