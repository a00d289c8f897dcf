import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { CHANGE_NUMBERS } from './change-codes.ts'
import { deviceId, envelope, id, ms, text } from '../wire/envelope.ts'
import { cents, couponCode, intentKey, period, quantity } from './money.ts'
import { SKUS } from './skus.ts'

/** What can be bought. */
const soldSku = v.picklist(SKUS.filter((sku) => sku !== 'free'))

/** The target of a purchase, made from the card cart (OPEN-142, OPEN-143). A price is never part of it (OPEN-88). */
const target = {
  sku: soldSku,
  /** Tier of the plan; '' for one that is no camera plan. */
  level: v.picklist([1, 2, 3, '']),
  /** The billing period. */
  mode: period,
  quantity,
}

/** The subscription that an update changes, as the page knew it: a stale revision changes nothing. */
const changed = { subscription_id: id, revision: v.pipe(v.number(), v.integer(), v.minValue(0)) }

/** One row of a quote or an invoice. Amounts are before tax; `tax` is that of this row, rounded half up. */
export const moneyLine = v.object({
  kind: v.picklist(['plan', 'coupon', 'unused']),
  sku: v.picklist(SKUS),
  period,
  quantity: v.number(),
  /** Price of one licence for the period. */
  unit: cents,
  amount: cents,
  tax: cents,
  /** What the row pays for, or gives back; ms UTC. */
  from: ms,
  to: ms,
  /** Of a coupon: its code, and what it takes off. */
  code: v.optional(text(64)),
  percent: v.optional(v.number()),
})
export type MoneyLine = v.InferOutput<typeof moneyLine>

/** What would be charged: exactly this, while it is good. */
export const quote = v.object({
  /** The quote as the provider sealed it; goes back with the purchase. */
  quote: text(6000),
  mode: v.picklist(['checkout', 'update']),
  /** Code of the change; null for a plan that is no camera plan. */
  change: v.nullable(v.picklist(CHANGE_NUMBERS)),
  sku: v.picklist(SKUS),
  period,
  quantity: v.number(),
  currency: text(3),
  tax_basis_points: v.number(),
  as_of: ms,
  expires_at: ms,
  /** When the plan begins: now, or at the end of what is paid (`is_later`: nothing is due today). */
  starts_at: ms,
  is_later: v.boolean(),
  /** Free days without a card; ends by itself. */
  is_trial: v.boolean(),
  /** The plan stays as it is: what was chosen for its next period is called off. `change` is the way back from there. */
  is_undo: v.optional(v.boolean()),
  lines: v.array(moneyLine),
  subtotal: cents,
  tax: cents,
  /** `subtotal + tax`; below 0 it goes to the balance. */
  total: cents,
  /** What the balance pays of it, and what it gains. */
  balance_used: cents,
  balance_added: cents,
  due: cents,
  /** The next charge with tax, before any balance; null: there is none. */
  next: v.nullable(v.object({ at: ms, total: cents })),
})
export type Quote = v.InferOutput<typeof quote>

/** A purchase that is through. */
export const order = v.object({
  order_id: id,
  subscription_id: id,
  /** Number of the bill, '' where nothing was billed. */
  bill: text(40),
  /** What was charged, with tax. */
  paid: cents,
  /** What it was charged to; null where nothing was. */
  method: v.nullable(v.object({ brand: text(20), last_four: text(4), name: text(120) })),
  at: ms,
  sku: v.picklist(SKUS),
  period,
  quantity: v.number(),
  starts_at: ms,
  is_later: v.boolean(),
  is_trial: v.boolean(),
  next: v.nullable(v.object({ at: ms, total: cents })),
})
export type Order = v.InferOutput<typeof order>

/** What became of an intent: a task that runs on is followed by its `process_id` (OPEN-84). */
export const outcome = v.variant('state', [
  v.object({ state: v.literal('done'), order }),
  v.object({ state: v.literal('pending'), process_id: id }),
])
export type PurchaseOutcome = v.InferOutput<typeof outcome>

/**
 * Codes beside those of the catalogue with which a purchase is refused, each with HTTP 409 but `intent` (422),
 * `not_sold` (400) and `gateway` (503). Nothing was charged.
 */
export const PURCHASE_REFUSALS = {
  /** The quote is over or no longer true: `data` of the answer holds a new one to confirm. */
  quote: 'quote',
  /** The subscription has changed since the page read it. */
  stale: 'stale',
  /** The plan is there already, from another tab or channel. */
  exists: 'exists',
  /** The same key was used for something else. */
  intent: 'intent',
  /** The plan is not on sale here. */
  notSold: 'not_sold',
  /** Something is to be paid and no method was named. */
  noMethod: 'no_method',
  /** Another purchase of this account is still under way. */
  busy: 'busy',
  /** The bank could not be asked. The same key goes on with it; any other 503 does not tell what became of it. */
  gateway: 'gateway',
} as const

export const previewPurchase = call('CALL-12', 'POST', '/purchase_v3/preview_purchase', 'web-backend', {
  request: v.object({
    ...target,
    coupon: v.optional(couponCode),
    /** Asks for the free days. */
    trial: v.optional(v.boolean(), false),
    /** Named in update mode. */
    subscription_id: v.optional(changed.subscription_id),
    revision: v.optional(changed.revision),
  }),
  response: envelope(200, quote),
})

const paid = {
  ...target,
  quote: text(6000),
  intent: intentKey,
  /** What pays; null where nothing is due. */
  method_id: v.nullable(id),
  /** Cameras that the new licences cover first; others stay free to be bound. */
  cameras: v.optional(v.pipe(v.array(deviceId), v.maxLength(99)), []),
}

export const createPurchase = call('CALL-13', 'POST', '/purchase_v3/create', 'web-backend', {
  request: v.object(paid),
  response: envelope(200, outcome),
})

export const updatePurchase = call('CALL-14', 'POST', '/purchase_v3/update_v3', 'web-backend', {
  request: v.object({ ...paid, ...changed, change: v.picklist(CHANGE_NUMBERS) }),
  response: envelope(200, outcome),
})

/**
 * `failed` has the code that a purchase answered at once would have. `action_url`: the bank asks the buyer on this page of its
 * own; the task goes on by itself once it has its answer.
 */
export const processTask = call('CALL-10', 'POST', '/api/v2/get_process_task', 'web-backend', {
  request: v.object({ process_id: id }),
  response: envelope(
    200,
    v.variant('state', [
      v.object({
        state: v.literal('pending'),
        begun_at: ms,
        step: v.picklist(['asked', 'authorised', 'charged']),
        action_url: v.optional(v.pipe(text(2048), v.regex(/^https:\/\//))),
      }),
      v.object({ state: v.literal('done'), order }),
      v.object({ state: v.literal('failed'), code: text(20), msg: text(300) }),
    ]),
  ),
})
