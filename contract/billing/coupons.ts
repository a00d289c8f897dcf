import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, id, timestampMs, text } from '../wire/envelope.ts'
import { BILLING_PROVIDERS, cents, couponCode, DEFAULT_REDEEM_SOURCE, idempotencyKey, period } from './money.ts'
import { SKUS } from './skus.ts'

/** Effect of a redemption on plans, licenses, invoices or the balance. */
const change = v.variant('kind', [
  /** A running plan ends now. The value of its unused time, with tax, goes to the balance. */
  v.object({ kind: v.literal('ends'), sku: v.picklist(SKUS), at: timestampMs, to_balance: cents }),
  v.object({ kind: v.literal('free_until'), sku: v.picklist(SKUS), at: timestampMs }),
  /** Price with tax after the free time. `first`: amount of the first charge, after the balance is applied. */
  v.object({ kind: v.literal('then'), period, total: cents, first: cents }),
  v.object({ kind: v.literal('ends_by_itself'), at: timestampMs }),
  /**
   * Future invoice: amount that the existing balance leaves to pay (`total`), credit that reduces this amount (`less`),
   * and remaining amount (`pay`).
   */
  v.object({ kind: v.literal('bill'), at: timestampMs, total: cents, less: cents, pay: cents }),
  /** The credit waits for the next invoice. */
  v.object({ kind: v.literal('waits'), amount: cents }),
  /** One additional camera license until this date. */
  v.object({ kind: v.literal('licence'), sku: v.picklist(SKUS), at: timestampMs }),
])
export type CouponChange = v.InferOutput<typeof change>

const couponOption = v.object({
  option_id: id,
  /** Customers apply `percent` and `amount` coupons on a plan's page, because these coupons reduce a price. */
  kind: v.picklist(['percent', 'amount', 'free_months', 'credit', 'bonus']),
  sku: v.nullable(v.picklist(SKUS)),
  /** Percent, cents, months or days, depending on the kind. */
  value: v.number(),
  changes: v.array(change),
})
export type CouponOption = v.InferOutput<typeof couponOption>

/** Reason why an account cannot use a coupon, with details. The sentence for the user belongs to the error code. */
export const couponRefusal = v.object({
  reason: v.picklist(['has_plan', 'new_only', 'trial', 'channel', 'credit', 'select', 'used']),
  /**
   * Plan of the account that prevents the redemption (`sku`), and the start of that plan (`since`); null if the reason
   * is not a plan.
   */
  sku: v.nullable(v.picklist(SKUS)),
  since: v.nullable(timestampMs),
  /** Expiry of the coupon, ms UTC; null: the coupon never expires. */
  until: v.nullable(timestampMs),
})
export type CouponRefusal = v.InferOutput<typeof couponRefusal>

/**
 * Validates a coupon without redeeming it. A rejection has an error code from 4101 to 4107, and the reason in `data`
 * (`couponRefusal`). `data` is missing if the coupon is unknown, expired or used up.
 */
export const validateCoupon = call('CALL-04', 'POST', '/redeem_v2', 'web-backend', {
  request: v.object({ code: couponCode, source: v.optional(v.picklist(BILLING_PROVIDERS), DEFAULT_REDEEM_SOURCE) }),
  response: envelope(
    200,
    v.object({
      /** Coupon code in its original spelling. */
      code: text(64),
      /** Expiry of the coupon, ms UTC; null: the coupon never expires. */
      until: v.nullable(timestampMs),
      options: v.pipe(v.array(couponOption), v.minLength(1)),
    }),
  ),
})

/** Redeems a coupon for one of its options. Repeated requests with the same `intent` take effect only once. */
export const applyCoupon = call('CALL-05', 'POST', '/redeem_v2/process_redeem', 'web-backend', {
  request: v.object({
    code: couponCode,
    option_id: id,
    source: v.optional(v.picklist(BILLING_PROVIDERS), DEFAULT_REDEEM_SOURCE),
    intent: idempotencyKey,
  }),
  response: envelope(
    200,
    v.object({
      kind: couponOption.entries.kind,
      subscription_id: v.nullable(id),
      balance: cents,
      changes: v.array(change),
    }),
  ),
})
