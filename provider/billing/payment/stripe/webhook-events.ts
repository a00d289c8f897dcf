import * as v from 'valibot'
import type { Env } from '../../../env.ts'
import { openStripe, type StripeEnv } from './client.ts'
import { findAccount } from './customers.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

/** Maximum age of an event signature. Stripe signs an event again for each retry. */
const SIGNATURE_TOLERANCE_S = 300
/** Retention of event ids. Stripe retries for three days. */
const EVENT_ID_RETENTION_MS = 4 * DAY_MS

const eventFields = v.object({
  customer: v.optional(v.nullable(v.string()), null),
  metadata: v.optional(v.object({ key: v.optional(v.string()), account: v.optional(v.string()) }), {}),
  object: v.optional(v.string()),
})

/**
 * Event signed by Stripe. `account`: null if unknown. `key`: ledger key of the charge or refund that the event reports;
 * '' for none.
 */
export interface StripeWebhookEvent {
  readonly event: string
  readonly account: string | null
  readonly about: 'charge' | 'refund'
  readonly key: string
}

/**
 * Returns the event; null if its signature is invalid or too old. Omits amounts and states, which the caller queries
 * from Stripe.
 */
export async function verifyWebhookEvent(
  env: StripeEnv,
  body: string,
  signature: string,
): Promise<StripeWebhookEvent | null> {
  const stripe = await openStripe(env)
  let event
  try {
    event = await stripe.webhooks.constructEventAsync(
      body,
      signature,
      env.STRIPE_WEBHOOK_SECRET ?? '',
      SIGNATURE_TOLERANCE_S,
    )
  } catch {
    return null
  }
  const read = v.safeParse(eventFields, event.data.object)
  const unrelated = { event: event.id, account: null, about: 'charge', key: '' } as const
  if (!read.success) return unrelated
  const { customer, metadata, object } = read.output
  const key = metadata.key ?? ''
  // A refund event has no customer. Take the account from the metadata that this provider stored with the refund.
  if (object === 'refund') return { event: event.id, account: metadata.account ?? null, about: 'refund', key }
  if (customer === null) return unrelated
  return { event: event.id, account: await findAccount(env, customer), about: 'charge', key }
}

export async function wasEventProcessed({ DB }: Pick<Env, 'DB'>, eventId: string): Promise<boolean> {
  return (await DB.prepare('SELECT 1 FROM stripe_events WHERE event = ?').bind(eventId).first()) !== null
}

export async function recordWebhookEvent({ DB }: Pick<Env, 'DB'>, eventId: string, now: number): Promise<void> {
  await DB.batch([
    DB.prepare('DELETE FROM stripe_events WHERE heard_at < ?').bind(now - EVENT_ID_RETENTION_MS),
    DB.prepare('INSERT OR IGNORE INTO stripe_events (event, heard_at) VALUES (?, ?)').bind(eventId, now),
  ])
}
