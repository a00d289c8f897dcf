import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, id, ms, nothing, text } from '../wire/envelope.ts'
import { cents, CHANNELS, period } from './money.ts'
import { SKUS } from './skus.ts'

const maybe = <T extends v.GenericSchema>(schema: T) => v.optional(v.nullable(schema), null)

export const subscription = v.object({
  subscription_id: id,
  sku: v.picklist(SKUS),
  /** `trial`: a free trial that ends automatically. */
  status: v.picklist(['active', 'cancelled', 'past_due', 'trial']),
  quantity: v.number(),
  period,
  billing_provider: text(20),
  /** Next renewal, or the end of a subscription that does not renew, ms UTC. */
  renews_at: v.number(),
  /** True if the subscription gives entitlements now. It does so until the end of the paid period (OPEN-145). */
  running: v.optional(v.boolean(), true),
  channel: v.optional(v.picklist(CHANNELS), 'web'),
  /** Increases with each change; an update names the revision that it changes. */
  revision: v.optional(v.number(), 0),
  /** Start, ms UTC. */
  since: v.optional(ms, 0),
  /** Scheduled change at `renews_at`; null: none. */
  scheduled: maybe(v.object({ sku: v.picklist(SKUS), period, quantity: v.number() })),
  /** Next charge, with tax, before the balance is applied; null: no further charge. */
  next: maybe(v.object({ at: ms, total: cents })),
  /** End of the pause, ms UTC: no entitlements and no charges until then. */
  paused_until: maybe(ms),
  /**
   * For a canceled subscription: time of the cancellation request, and the refund that is sent when the subscription
   * ends, cents above 0.
   */
  leaving: maybe(v.object({ at: ms, to_method: cents, to_balance: cents })),
  /** For a failed charge: open amount with tax, due date, number of attempts, and reason of the last failure. */
  open: maybe(
    v.object({
      total: cents,
      due_at: ms,
      tries: v.number(),
      /** Times of the next attempts to charge; the subscription ends at the time of the last attempt. */
      next_tries: v.array(ms),
      code: text(20),
      method: v.nullable(v.object({ brand: text(20), last_four: text(4), name: text(120) })),
    }),
  ),
  /** Offset of the subscription's test clock, ms (`npm run clock`): its dates use that clock. */
  clock: v.optional(v.number(), 0),
})
export type Subscription = v.InferOutput<typeof subscription>

/** Returns the user's subscriptions (OPEN-92); `uuid` must be the signed-in user's own (OPEN-85). */
export const getSubscriptions = call('CALL-08', 'POST', '/api/v2/subscriptions/{uuid}', 'web-backend', {
  request: nothing,
  response: envelope(200, v.object({ subscriptions: v.array(subscription) })),
})
