import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, id, ms, text } from '../wire/envelope.ts'
import { BILLING_PROVIDERS, cents, couponCode, DEFAULT_REDEEM_SOURCE, intentKey, period } from './money.ts'
import { SKUS } from './skus.ts'

/** Effects of a redemption, one entry per date. */
const change = v.variant('kind', [
  /** A running plan ends now; the value of its unused time, with tax, goes to the balance. */
  v.object({ kind: v.literal('ends'), sku: v.picklist(SKUS), at: ms, to_balance: cents }),
  v.object({ kind: v.literal('free_until'), sku: v.picklist(SKUS), at: ms }),
  /** Price with tax after the free time; `first`: first charge, after the balance is applied. */
  v.object({ kind: v.literal('then'), period, total: cents, first: cents }),
  v.object({ kind: v.literal('ends_by_itself'), at: ms }),
  /** A future invoice: its total, the credit applied, the amount left to pay. */
  v.object({ kind: v.literal('bill'), at: ms, total: cents, less: cents, pay: cents }),
  /** The credit waits for the next invoice. */
  v.object({ kind: v.literal('waits'), amount: cents }),
  /** One additional camera license until this date. */
  v.object({ kind: v.literal('licence'), sku: v.picklist(SKUS), at: ms }),
])
export type CouponChange = v.InferOutput<typeof change>

const option = v.object({
  option_id: id,
  /** `percent` and `amount` reduce a price, so customers apply them on a plan's page. */
  kind: v.picklist(['percent', 'amount', 'free_months', 'credit', 'bonus']),
  sku: v.nullable(v.picklist(SKUS)),
  /** Percent, cents, months or days, depending on the kind. */
  value: v.number(),
  changes: v.array(change),
})
export type CouponOption = v.InferOutput<typeof option>

/** Reason why an account cannot use a coupon, in addition to the sentence of the error code. */
export const couponRefusal = v.object({
  reason: v.picklist(['has_plan', 'new_only', 'trial', 'channel', 'credit', 'select', 'used']),
  /** The account's plan that prevents the redemption, and the start of that plan. */
  sku: v.nullable(v.picklist(SKUS)),
  since: v.nullable(ms),
  /** Date until which other accounts may use the coupon; null: no limit. */
  until: v.nullable(ms),
})
export type CouponRefusal = v.InferOutput<typeof couponRefusal>

/**
 * Validates a coupon without redeeming it. Rejections have codes 4101 to 4107; `data` gives the reason
 * (`couponRefusal`).
 */
export const redeem = call('CALL-04', 'POST', '/redeem_v2', 'web-backend', {
  request: v.object({ code: couponCode, source: v.optional(v.picklist(BILLING_PROVIDERS), DEFAULT_REDEEM_SOURCE) }),
  response: envelope(
    200,
    v.object({
      /** The code in its original spelling. */
      code: text(64),
      /** Expiry of the coupon, ms UTC; null: it never expires. */
      until: v.nullable(ms),
      options: v.pipe(v.array(option), v.minLength(1)),
    }),
  ),
})

/** Redeems a coupon for one of its options. Idempotent per key. */
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
