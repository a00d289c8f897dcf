import * as v from 'valibot'
import type { Env } from '../../../env.ts'
import { openStripe, type StripeEnv } from './client.ts'
import { findAccount } from './customers.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

/** Maximum age of an event's signature. Stripe signs every retry again. */
const TOLERANCE_S = 300
/** Retention of event ids. Stripe retries for three days. */
const KEPT_MS = 4 * DAY_MS

/** Fields that are read from an event, to find its account and its charge in the ledger. */
const about = v.object({
  customer: v.optional(v.nullable(v.string()), null),
  metadata: v.optional(v.object({ key: v.optional(v.string()), account: v.optional(v.string()) }), {}),
  object: v.optional(v.string()),
})

/** Event signed by Stripe. `key`: charge or refund of the ledger that it names, '' for none. */
export interface StripeWebhookEvent {
  readonly event: string
  readonly account: string | null
  readonly about: 'charge' | 'refund'
  readonly key: string
}

/**
 * Returns a verified event; null if Stripe did not sign it, or signed it too long ago. Amounts and states in it are
 * ignored: the caller queries Stripe.
 */
export async function readEvent(env: StripeEnv, body: string, signature: string): Promise<StripeWebhookEvent | null> {
  const stripe = await openStripe(env)
  let event
  try {
    event = await stripe.webhooks.constructEventAsync(body, signature, env.STRIPE_WEBHOOK_SECRET ?? '', TOLERANCE_S)
  } catch {
    return null
  }
  const read = v.safeParse(about, event.data.object)
  const nothing = { event: event.id, account: null, about: 'charge', key: '' } as const
  if (!read.success) return nothing
  const { customer, metadata, object } = read.output
  const key = metadata.key ?? ''
  // A refund event names no customer, so the account comes from its metadata, which this provider has set.
  if (object === 'refund') return { event: event.id, account: metadata.account ?? null, about: 'refund', key }
  if (customer === null) return nothing
  return { event: event.id, account: await findAccount(env, customer), about: 'charge', key }
}

/** Returns true if the event was processed before. */
export async function wasHeard({ DB }: Pick<Env, 'DB'>, event: string): Promise<boolean> {
  return (await DB.prepare('SELECT 1 FROM stripe_events WHERE event = ?').bind(event).first()) !== null
}

export async function recordWebhookEvent({ DB }: Pick<Env, 'DB'>, event: string, now: number): Promise<void> {
  await DB.batch([
    DB.prepare('DELETE FROM stripe_events WHERE heard_at < ?').bind(now - KEPT_MS),
    DB.prepare('INSERT OR IGNORE INTO stripe_events (event, heard_at) VALUES (?, ?)').bind(event, now),
  ])
}
