import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, id, timestampMs, emptyObject, text } from '../wire/envelope.ts'
import { cents, PURCHASE_CHANNELS, period } from './money.ts'
import { SKUS } from './skus.ts'

const optionalOrNull = <T extends v.GenericSchema>(schema: T) => v.optional(v.nullable(schema), null)

export const subscription = v.object({
  subscription_id: id,
  sku: v.picklist(SKUS),
  /** `trial`: a free trial, or the bonus license of a coupon; both end automatically. */
  status: v.picklist(['active', 'cancelled', 'past_due', 'trial']),
  quantity: v.number(),
  period,
  billing_provider: text(20),
  /** Next renewal, ms UTC. For a subscription that does not renew or is past due: end of its entitlements. */
  renews_at: v.number(),
  /**
   * True if the subscription gives entitlements now. A canceled subscription gives entitlements until `renews_at`
   * (OPEN-145).
   */
  running: v.optional(v.boolean(), true),
  channel: v.optional(v.picklist(PURCHASE_CHANNELS), 'web'),
  /** Revision, which increases with each change. An update must name the current revision. */
  revision: v.optional(v.number(), 0),
  since: v.optional(timestampMs, 0),
  /** Scheduled change at `renews_at`; null: none. */
  scheduled: optionalOrNull(v.object({ sku: v.picklist(SKUS), period, quantity: v.number() })),
  /** Next charge, with tax, before the balance is applied; null: no further charge. */
  next: optionalOrNull(v.object({ at: timestampMs, total: cents })),
  /** End of the pause, ms UTC; null if not paused. A paused plan has no entitlements and no charges. */
  paused_until: optionalOrNull(timestampMs),
  /**
   * For a canceled subscription: time of the cancellation request, and the refund that is sent when the subscription
   * ends. Refunds are cents, 0 or above.
   */
  leaving: optionalOrNull(v.object({ at: timestampMs, to_method: cents, to_balance: cents })),
  /** For a failed charge: open amount with tax, due date, number of attempts, and reason of the last failure. */
  open: optionalOrNull(
    v.object({
      total: cents,
      due_at: timestampMs,
      tries: v.number(),
      /** Times of these attempts, earliest first. Omitted if the ledger has not recorded all of them. */
      tried_at: v.optional(v.array(timestampMs)),
      /** Times of the next attempts to charge. If the last attempt fails, the subscription ends. */
      next_tries: v.array(timestampMs),
      code: text(20),
      method: v.nullable(v.object({ brand: text(20), last_four: text(4), name: text(120) })),
    }),
  ),
  /** Offset of the test clock that the subscription's dates use, ms (`npm run clock`). */
  clock: v.optional(v.number(), 0),
})
export type Subscription = v.InferOutput<typeof subscription>

/**
 * Returns all subscriptions of the signed-in user, including ended ones (OPEN-92). `uuid` must be the id of that user
 * (OPEN-85).
 */
export const getSubscriptions = call('CALL-08', 'POST', '/api/v2/subscriptions/{uuid}', 'web-backend', {
  request: emptyObject,
  response: envelope(
    200,
    v.object({
      subscriptions: v.array(subscription),
      /** True from a restore until the account's payments are checked. Until then, nothing is charged or changed. */
      is_on_hold: v.exactOptional(v.boolean()),
    }),
  ),
})
