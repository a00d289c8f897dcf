import type { D1Database } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { subscription, type Subscription } from '../../../contract/billing/subscriptions.ts'
import { isRunning } from './entitlements.ts'

const SCHEDULED = subscription.entries.scheduled

const SELECT = `
  SELECT subscription_id, sku, status, quantity, period, billing_provider, renews_at, channel, revision, since, scheduled,
    next_at, next_total, paused_until, more, clock
  FROM subscriptions WHERE user_id = ? ORDER BY created_at, subscription_id`

interface Row extends Omit<Subscription, 'running' | 'scheduled' | 'next' | 'leaving' | 'open'> {
  readonly more: string | null
  readonly scheduled: string | null
  readonly next_at: number | null
  readonly next_total: number | null
}

/** Returns the account's subscriptions from the ledger's projection, oldest first, including ended ones. */
export async function listSubscriptions(db: D1Database, userId: string, now: number): Promise<Subscription[]> {
  const { results } = await db.prepare(SELECT).bind(userId).all<Row>()
  return results.map(({ scheduled, next_at, next_total, more, ...row }) => ({
    ...{ ...row, ...parseExtras(more), paused_until: isPaused(row, now) ? row.paused_until : null },
    scheduled: scheduled === null ? null : v.parse(SCHEDULED, JSON.parse(scheduled)),
    next: next_at === null || next_total === null ? null : { at: next_at, total: next_total },
    running: isRunning(row, now + row.clock),
  }))
}

const isPaused = ({ paused_until, clock }: Pick<Row, 'paused_until' | 'clock'>, now: number) =>
  paused_until !== null && paused_until > now + clock

const MORE = v.pick(subscription, ['leaving', 'open'])

const parseExtras = (more: string | null) =>
  more === null ? { leaving: null, open: null } : v.parse(MORE, JSON.parse(more))
