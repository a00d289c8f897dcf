import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, id, timestampMs, text } from '../wire/envelope.ts'
import { LEGACY_CURRENCY } from './amounts.ts'
import { cents, period } from './money.ts'
import { moneyLine } from './purchase.ts'
import { SKUS } from './skus.ts'

/** Brands of payment methods for which the portal has a logo. */
export const METHOD_BRANDS = ['visa', 'mastercard', 'amex', 'discover', 'wallet'] as const

/** Payment method for display. Never contains card number, security code or address. */
export const paymentMethod = v.object({
  method_id: id,
  type: v.picklist(['card', 'wallet']),
  brand: v.picklist(METHOD_BRANDS),
  /** Last four digits of a card; '' for a wallet. */
  last_four: text(4),
  /** Name of a wallet; '' for a card. */
  name: text(120),
  /** Last valid month (1 to 12) and year; null: no expiry. */
  ends: v.nullable(v.object({ month: v.number(), year: v.number() })),
  /** `ending`: the method expires this month or next month. `ended`: the method has expired. */
  state: v.picklist(['good', 'ending', 'ended']),
  is_default: v.boolean(),
  /**
   * True if the method can be removed; false for the only valid method while a plan renews, unless the plan is in the
   * free months of a coupon.
   */
  may_go: v.boolean(),
  added_at: timestampMs,
})
export type PaymentMethod = v.InferOutput<typeof paymentMethod>

const upcomingCharge = v.object({
  subscription_id: id,
  sku: v.picklist(SKUS),
  period,
  quantity: v.number(),
  at: timestampMs,
  /** Amount to charge, with tax, after the balance is applied. */
  due: cents,
  method_id: v.nullable(id),
  /** True if an amount is due, but the default payment method is missing or expires before the charge. */
  would_fail: v.boolean(),
})
export type UpcomingCharge = v.InferOutput<typeof upcomingCharge>

const invoice = v.object({
  bill: text(40),
  kind: v.picklist(['invoice', 'credit_note']),
  at: timestampMs,
  subscription_id: v.nullable(id),
  lines: v.array(moneyLine),
  subtotal: cents,
  tax: cents,
  total: cents,
  balance_used: cents,
  paid: cents,
  state: v.picklist(['paid', 'open', 'void']),
  /** Payment time, ms UTC; null: unpaid, or nothing was due. */
  paid_at: v.optional(v.nullable(timestampMs), null),
  method: v.optional(v.nullable(v.object({ brand: text(20), last_four: text(4), name: text(120) })), null),
  /** For a credit note: number of the invoice that it corrects. */
  refers_to: v.optional(v.nullable(text(40)), null),
  /** For a credit note: cents refunded to the payment method, 0 or above. */
  refunded: v.optional(cents, 0),
  /** For a credit note: true if the bank returned the first refund and the ledger sent the refund again. */
  refund_retried: v.optional(v.boolean(), false),
  currency: v.optional(text(3), LEGACY_CURRENCY),
  /** Address of the buyer line by line, and the account's email in the last line. */
  buyer: v.optional(v.array(text(254)), []),
})
export type Invoice = v.InferOutput<typeof invoice>

const seller = v.object({ name: text(120), address: v.array(text(120)), tax_id: text(60) })
export type Seller = v.InferOutput<typeof seller>

const plan = v.object({
  sku: v.picklist(SKUS),
  tier: v.nullable(v.number()),
  monthly: cents,
  annual: cents,
  per: v.picklist(['camera', 'home']),
  on_sale: v.boolean(),
})

/**
 * Reads billing data of one `kind` (OPEN-83): `catalogue` (all plans), `payment_methods` (methods and upcoming charges)
 * or `invoices` (newest first). The response contains only the requested kind.
 */
export const getBillingInfo = call('CALL-11', 'POST', '/services/{billing_provider}_info', 'web-backend', {
  request: v.object({ kind: v.picklist(['catalogue', 'payment_methods', 'invoices']) }),
  response: envelope(
    200,
    v.variant('kind', [
      v.object({
        kind: v.literal('catalogue'),
        currency: text(3),
        tax_basis_points: v.number(),
        /** True if the deployment has a payment gateway and can sell plans. */
        sells: v.boolean(),
        /** True if the account can still start its free trial. */
        trial: v.boolean(),
        /** True if the account is on the waiting list for the plan of tier T3 (contract/account/t3-list.ts). */
        t3_list: v.optional(v.boolean(), false),
        plans: v.array(plan),
      }),
      v.object({
        kind: v.literal('payment_methods'),
        methods: v.array(paymentMethod),
        upcoming: v.array(upcomingCharge),
        balance: cents,
        /** Billing address of the default card, line by line; empty: none. */
        address: v.array(text(120)),
      }),
      v.object({ kind: v.literal('invoices'), seller, invoices: v.array(invoice) }),
    ]),
  ),
})

/**
 * Returns a page of the account's ledger: entries that moved money, oldest first. The postings of each entry sum to 0.
 */
export const getLedger = call('EXT-book', 'GET', '/extension/book', 'extension', {
  request: v.object({ after: v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}$/))) }),
  response: envelope(
    200,
    v.object({
      entries: v.array(
        v.object({
          entry: v.number(),
          at: timestampMs,
          kind: text(40),
          subject: text(120),
          /** Number of the invoice or credit note that the entry wrote; '' if it wrote none. */
          bill: v.optional(text(40), ''),
          postings: v.array(v.object({ account: text(60), cents })),
        }),
      ),
      /** Balance of each ledger account after all entries. */
      sums: v.array(v.object({ account: text(60), cents })),
      /** Value of `after` for the next page; null on the last page. */
      next: v.nullable(text(9)),
    }),
  ),
})
