import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, id, ms, text } from '../wire/envelope.ts'
import { BILLING_PROVIDERS, cents, couponCode, DEFAULT_REDEEM_SOURCE, intentKey, period } from './money.ts'
import { SKUS } from './skus.ts'

/** What a coupon does when it is used, one entry a date. */
const change = v.variant('kind', [
  /** A running plan ends now; what is unused of it, with tax, goes to the balance. */
  v.object({ kind: v.literal('ends'), sku: v.picklist(SKUS), at: ms, to_balance: cents }),
  /** The plan runs free until then. */
  v.object({ kind: v.literal('free_until'), sku: v.picklist(SKUS), at: ms }),
  /** Afterwards it costs so much with tax; `first`: the first time, where the balance helps. */
  v.object({ kind: v.literal('then'), period, total: cents, first: cents }),
  /** It ends by itself, and nothing is charged. */
  v.object({ kind: v.literal('ends_by_itself'), at: ms }),
  /** A bill to come: its total, what the credit takes off, what is left to pay. */
  v.object({ kind: v.literal('bill'), at: ms, total: cents, less: cents, pay: cents }),
  /** The credit waits for the next bill. */
  v.object({ kind: v.literal('waits'), amount: cents }),
  /** One more camera may be covered until then. */
  v.object({ kind: v.literal('licence'), sku: v.picklist(SKUS), at: ms }),
])
export type CouponChange = v.InferOutput<typeof change>

/** One thing that a coupon can be used for. */
const option = v.object({
  option_id: id,
  /** `percent` and `amount` come off a price: they are used on a plan's page. */
  kind: v.picklist(['percent', 'amount', 'free_months', 'credit', 'bonus']),
  sku: v.nullable(v.picklist(SKUS)),
  /** Percent, cents, months or days, by the kind. */
  value: v.number(),
  changes: v.array(change),
})
export type CouponOption = v.InferOutput<typeof option>

/** Why somebody may not use a coupon, beside the sentence of its code. */
export const couponRefusal = v.object({
  reason: v.picklist(['has_plan', 'new_only', 'trial', 'channel', 'credit', 'select', 'used']),
  /** The plan of theirs that stands in the way, and since when. */
  sku: v.nullable(v.picklist(SKUS)),
  since: v.nullable(ms),
  /** Until when others may use it; null: for ever. */
  until: v.nullable(ms),
})
export type CouponRefusal = v.InferOutput<typeof couponRefusal>

/** Looks at a coupon; nothing is used up. Refused with 4101 to 4107, `data` of the answer says why (`couponRefusal`). */
export const redeem = call('CALL-04', 'POST', '/redeem_v2', 'web-backend', {
  request: v.object({ code: couponCode, source: v.optional(v.picklist(BILLING_PROVIDERS), DEFAULT_REDEEM_SOURCE) }),
  response: envelope(
    200,
    v.object({
      /** As it is written. */
      code: text(64),
      /** ms UTC; null: for ever. */
      until: v.nullable(ms),
      options: v.pipe(v.array(option), v.minLength(1)),
    }),
  ),
})

/** Uses a coupon for one of its options. The same key again has the same answer. */
export const processRedeem = call('CALL-05', 'POST', '/redeem_v2/process_redeem', 'web-backend', {
  request: v.object({
    code: couponCode,
    option_id: id,
    source: v.optional(v.picklist(BILLING_PROVIDERS), DEFAULT_REDEEM_SOURCE),
    intent: intentKey,
  }),
  response: envelope(
    200,
    v.object({ kind: option.entries.kind, subscription_id: v.nullable(id), balance: cents, changes: v.array(change) }),
  ),
})
