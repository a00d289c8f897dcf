import * as v from 'valibot'
import { timestampMs, text } from '../../../contract/wire/envelope.ts'
import type { NotificationKind } from '../../../contract/account/notifications.ts'
import { cents, period, quantity } from '../../../contract/billing/money.ts'
import { SKUS } from '../../../contract/billing/skus.ts'

const sku = v.picklist(SKUS)
/** Payment method. Both values are null if the balance pays or the payment method is unknown. */
const method = { brand: v.nullable(text(40)), last_four: v.nullable(v.pipe(v.string(), v.regex(/^\d{0,4}$/))) }

const expiry = {
  month: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(12)),
  year: v.pipe(v.number(), v.integer(), v.minValue(2000), v.maxValue(9999)),
}

const others = v.optional(v.array(text(120)), [])

/** Schema of the facts of each kind of notification. Money in cents, times in ms UTC. */
export const NOTIFICATION_FACTS = {
  trial_ends: v.object({ sku, at: timestampMs }),
  /**
   * `net` and `tax`: parts of `total`. `month` and `year`: expiry of the card, if it has one. Facts that an earlier
   * version stored lack all of these.
   */
  renewal_ahead: v.object({
    sku,
    period,
    quantity,
    at: timestampMs,
    total: cents,
    net: v.optional(cents),
    tax: v.optional(cents),
    month: v.optional(expiry.month),
    year: v.optional(expiry.year),
    ...method,
  }),
  card_ends: v.object({
    ...method,
    ...expiry,
    charge_at: timestampMs,
  }),
  /**
   * `code`: error catalog code, or '' if the account had no payment method. `next_try`: time of the next retry, if any.
   * `until`: end of the plan if the invoice stays unpaid.
   */
  charge_failed: v.object({
    sku,
    total: cents,
    code: text(10),
    ...method,
    next_try: v.nullable(timestampMs),
    until: timestampMs,
  }),
  /** `deleted_at`: time at which the events that only this plan retained are deleted. */
  plan_ended: v.object({ sku, at: timestampMs, deleted_at: timestampMs }),
  /** `total`: amount added to the balance, because the bank returned the refund to the provider. */
  refund_failed: v.object({ bill: text(40), total: cents, sku, at: timestampMs, ...method }),
  /** `bill`: invoice number. For a credit note, `total` is the refunded amount. */
  bill: v.object({
    bill: text(40),
    kind: v.picklist(['invoice', 'credit_note']),
    total: cents,
    sku,
    at: timestampMs,
    ...method,
  }),
  /** `camera`: camera name; `others`: names of cameras shared with it; `owner`: email address of their owner. */
  shared_camera: v.object({ camera: text(120), others, owner: text(254), at: timestampMs }),
  /** As in `shared_camera`. `until`: end of the validity of the invitation link. */
  camera_invitation: v.object({ camera: text(120), others, owner: text(254), until: timestampMs }),
  /** `address`: client network, or '' if unknown. */
  new_sign_in: v.object({ device: text(120), address: text(60), at: timestampMs }),
  password_forgotten: v.object({ device: text(120), address: text(60), until: timestampMs }),
  /** `until`: end of the validity of the confirmation link. */
  confirm_sign_up: v.object({ until: timestampMs }),
  account_exists: v.object({ device: text(120), address: text(60), at: timestampMs }),
  /** `until`: time of the permanent deletion. `money`: one sentence per effect on plans and balance. */
  account_leaves: v.object({ until: timestampMs, money: v.optional(v.array(text(300)), []) }),
} as const satisfies Record<NotificationKind, v.GenericSchema>

export type NotificationFacts = {
  readonly [K in NotificationKind]: Readonly<v.InferOutput<(typeof NOTIFICATION_FACTS)[K]>>
}
