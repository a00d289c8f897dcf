import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { CHANGE_CODE_VALUES } from './change-codes.ts'
import { deviceId, envelope, id, timestampMs, text } from '../wire/envelope.ts'
import { cents, couponCode, idempotencyKey, period, quantity } from './money.ts'
import { SKUS } from './skus.ts'

const soldSku = v.picklist(SKUS.filter((sku) => sku !== 'free'))

/**
 * Plan that the customer wants to buy. The portal reads it from the stored card cart (OPEN-142, OPEN-143). Contains no
 * price, because only the provider sets prices (OPEN-88).
 */
const purchaseTarget = {
  sku: soldSku,
  /** Tier of the plan; '' if it is not a camera plan. */
  level: v.picklist([1, 2, 3, '']),
  mode: period,
  quantity,
}

/** Subscription revision that the page has read. The provider rejects an update of a stale revision. */
const subscriptionRevision = { subscription_id: id, revision: v.pipe(v.number(), v.integer(), v.minValue(0)) }

/** Line item of a quote or an invoice. Amounts are before tax. `tax` is the tax on this line. */
export const moneyLine = v.object({
  kind: v.picklist(['plan', 'coupon', 'unused']),
  sku: v.picklist(SKUS),
  period,
  quantity: v.number(),
  /** Price of one license for the period. For a coupon line: the whole discount, below 0. */
  unit: cents,
  amount: cents,
  tax: cents,
  /** Period that the line charges or refunds, ms UTC. */
  from: timestampMs,
  to: timestampMs,
  /** For a coupon line: the coupon code and, for a percent coupon, the discount in percent. */
  code: v.optional(text(64)),
  percent: v.optional(v.number()),
})
export type MoneyLine = v.InferOutput<typeof moneyLine>

/**
 * Binding price of a purchase until `expires_at`, unless a subscription or the balance of the account changes first.
 */
export const quote = v.object({
  /** Quote, signed by the provider. The purchase request must contain it unchanged. */
  quote: text(6000),
  mode: v.picklist(['checkout', 'update']),
  /** Code of the change; null if the plan is not a camera plan. */
  change: v.nullable(v.picklist(CHANGE_CODE_VALUES)),
  sku: v.picklist(SKUS),
  period,
  quantity: v.number(),
  currency: text(3),
  tax_basis_points: v.number(),
  as_of: timestampMs,
  expires_at: timestampMs,
  /**
   * Start of the plan: now, the due date of an open invoice, or the end of the paid period. In the last case,
   * `is_later` is true and nothing is due today.
   */
  starts_at: timestampMs,
  is_later: v.boolean(),
  /** True for a free trial, which needs no card and ends automatically. */
  is_trial: v.boolean(),
  /**
   * True if the purchase cancels a scheduled change and keeps the current plan. `change` is then the code of the
   * reverse change.
   */
  is_undo: v.optional(v.boolean()),
  lines: v.array(moneyLine),
  subtotal: cents,
  tax: cents,
  /** `subtotal + tax`; a negative total goes to the balance. */
  total: cents,
  balance_used: cents,
  balance_added: cents,
  due: cents,
  /** Next charge, with tax, before the balance is applied; null: no further charge. */
  next: v.nullable(v.object({ at: timestampMs, total: cents })),
})
export type Quote = v.InferOutput<typeof quote>

export const order = v.object({
  order_id: id,
  subscription_id: id,
  /** Invoice number; '' without an invoice. */
  bill: text(40),
  /** Amount charged, with tax. */
  paid: cents,
  /** Charged payment method; null if nothing was charged. */
  method: v.nullable(v.object({ brand: text(20), last_four: text(4), name: text(120) })),
  at: timestampMs,
  sku: v.picklist(SKUS),
  period,
  quantity: v.number(),
  starts_at: timestampMs,
  is_later: v.boolean(),
  is_trial: v.boolean(),
  next: v.nullable(v.object({ at: timestampMs, total: cents })),
})
export type Order = v.InferOutput<typeof order>

/** Result of a purchase; poll a pending task by its `process_id` (OPEN-84). */
export const purchaseOutcome = v.variant('state', [
  v.object({ state: v.literal('done'), order }),
  v.object({ state: v.literal('pending'), process_id: id }),
])
export type PurchaseOutcome = v.InferOutput<typeof purchaseOutcome>

/**
 * Purchase errors in addition to the error catalog, with HTTP 409 except `intent` (422), `not_sold` (400) and `gateway`
 * (503). Nothing was charged.
 */
export const PURCHASE_ERROR_CODES = {
  /** The quote expired or no longer applies. `data` contains a new quote to confirm. */
  quote: 'quote',
  /** The subscription changed after the page read it. */
  stale: 'stale',
  /** The account already has a running plan of the same kind (camera plan or home monitoring). */
  exists: 'exists',
  /** The idempotency key was used for a different request. */
  intent: 'intent',
  notSold: 'not_sold',
  /** An amount is due, but no payment method was given. */
  noMethod: 'no_method',
  /** Another charge of this account is in progress. */
  busy: 'busy',
  /**
   * The payment gateway was unreachable. A retry with the same key resumes the purchase. After any other error with
   * status 503, the result is unknown.
   */
  gateway: 'gateway',
} as const

export const previewPurchase = call('CALL-12', 'POST', '/purchase_v3/preview_purchase', 'web-backend', {
  request: v.object({
    ...purchaseTarget,
    /** Omitted: quantity of the account's running subscription if it has the same plan, otherwise 1. */
    quantity: v.optional(quantity),
    coupon: v.optional(couponCode),
    trial: v.optional(v.boolean(), false),
    /**
     * True for a page that does not know the subscriptions yet: the quote changes the account's running camera plan, if
     * there is one. Excludes `subscription_id`.
     */
    changes_own: v.optional(v.boolean(), false),
    subscription_id: v.optional(subscriptionRevision.subscription_id),
    revision: v.optional(subscriptionRevision.revision),
  }),
  response: envelope(200, quote),
})

const purchaseRequestFields = {
  ...purchaseTarget,
  quote: text(6000),
  intent: idempotencyKey,
  /** Payment method to charge; null if nothing is due. */
  method_id: v.nullable(id),
  /** Cameras that get the new licenses, in this order. Remaining licenses stay unassigned. */
  cameras: v.optional(v.pipe(v.array(deviceId), v.maxLength(99)), []),
}

export const createPurchase = call('CALL-13', 'POST', '/purchase_v3/create', 'web-backend', {
  request: v.object(purchaseRequestFields),
  response: envelope(200, purchaseOutcome),
})

export const updatePurchase = call('CALL-14', 'POST', '/purchase_v3/update_v3', 'web-backend', {
  request: v.object({ ...purchaseRequestFields, ...subscriptionRevision, change: v.picklist(CHANGE_CODE_VALUES) }),
  response: envelope(200, purchaseOutcome),
})

/**
 * Returns the state of a purchase, or of the payment of an open invoice. `failed` contains the error code.
 * `action_url`: the bank's page for a 3-D Secure challenge; the payment continues automatically after the challenge.
 */
export const getPurchaseTask = call('CALL-10', 'POST', '/api/v2/get_process_task', 'web-backend', {
  request: v.object({ process_id: id }),
  response: envelope(
    200,
    v.variant('state', [
      v.object({
        state: v.literal('pending'),
        begun_at: timestampMs,
        step: v.picklist(['asked', 'authorised', 'charged']),
        action_url: v.optional(v.pipe(text(2048), v.regex(/^https:\/\//))),
      }),
      v.object({ state: v.literal('done'), order }),
      v.object({ state: v.literal('failed'), code: text(20), msg: text(300) }),
    ]),
  ),
})
