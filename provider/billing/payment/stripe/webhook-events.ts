import * as v from 'valibot'
import type { Env } from '../../../env.ts'
import { openStripe, type StripeEnv } from './client.ts'
import { findAccount } from './customers.ts'

/** An event that was signed longer ago is refused; whoever sends it again signs it anew. */
const TOLERANCE_S = 300
/** Stripe tries for three days. */
const KEPT_MS = 4 * 86_400_000

/** What an event is about, as far as we look: whose it is and which charge of the book. */
const about = v.object({
  customer: v.optional(v.nullable(v.string()), null),
  metadata: v.optional(v.object({ key: v.optional(v.string()), account: v.optional(v.string()) }), {}),
  object: v.optional(v.string()),
})

/** An event that is signed by Stripe; `key`: the charge or refund of the ledger that it names, '' for none. */
export interface StripeWebhookEvent {
  readonly event: string
  readonly account: string | null
  readonly about: 'charge' | 'refund'
  readonly key: string
}

/** Reads an event; null: it is not signed by Stripe, or was signed too long ago. Amounts and states in it are not read: Stripe is asked. */
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
  // A refund names no customer. Its metadata is what this provider has sent.
  if (object === 'refund') return { event: event.id, account: metadata.account ?? null, about: 'refund', key }
  if (customer === null) return nothing
  return { event: event.id, account: await findAccount(env, customer), about: 'charge', key }
}

/** Whether an event was worked on before. */
export async function wasHeard({ DB }: Pick<Env, 'DB'>, event: string): Promise<boolean> {
  return (await DB.prepare('SELECT 1 FROM stripe_events WHERE event = ?').bind(event).first()) !== null
}

/** Notes that it was. */
export async function recordWebhookEvent({ DB }: Pick<Env, 'DB'>, event: string, now: number): Promise<void> {
  await DB.batch([
    DB.prepare('DELETE FROM stripe_events WHERE heard_at < ?').bind(now - KEPT_MS),
    DB.prepare('INSERT OR IGNORE INTO stripe_events (event, heard_at) VALUES (?, ?)').bind(event, now),
  ])
}
