import * as v from 'valibot'
import { call, later } from './call.ts'
import { envelope, id, ms, nothing, text } from './envelope.ts'
import { cents, CHANNELS, period } from './money.ts'
import { SKUS } from './skus.ts'

export const subscription = v.object({
  subscription_id: id,
  sku: v.picklist(SKUS),
  /** `trial`: free days that end by themselves. */
  status: v.picklist(['active', 'cancelled', 'past_due', 'trial']),
  quantity: v.number(),
  period,
  billing_provider: text(20),
  /** ms UTC */
  renews_at: v.number(),
  /** Whether it gives anything now: it does until the end of what is paid (OPEN-145). */
  running: v.optional(v.boolean(), true),
  channel: v.optional(v.picklist(CHANNELS), 'web'),
  /** Goes up with each change; an update names the one that it changes. */
  revision: v.optional(v.number(), 0),
  /** When it began, ms UTC. */
  since: v.optional(ms, 0),
  /** What it becomes at `renews_at`; null: what it is. */
  scheduled: v.optional(v.nullable(v.object({ sku: v.picklist(SKUS), period, quantity: v.number() })), null),
  /** The next charge with tax, before any balance; null: there is none. */
  next: v.optional(v.nullable(v.object({ at: ms, total: cents })), null),
})
export type Subscription = v.InferOutput<typeof subscription>

/** A read of the user's subscriptions (OPEN-92); `uuid` must be the signed-in user's own (OPEN-85). */
export const getSubscriptions = call('CALL-08', 'POST', '/api/v2/subscriptions/{uuid}', 'web-backend', {
  request: nothing,
  response: envelope(200, v.object({ subscriptions: v.array(subscription) })),
})
export const servicesExtension = later('CALL-15', 'GET', '/services/extension', 'web-backend')
