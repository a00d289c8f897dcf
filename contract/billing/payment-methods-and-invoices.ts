import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, id, ms, text } from '../wire/envelope.ts'
import { FIRST_CURRENCY } from './amounts.ts'
import { cents, period } from './money.ts'
import { moneyLine } from './purchase.ts'
import { SKUS } from './skus.ts'

/** Brands that a method is drawn by. */
export const METHOD_BRANDS = ['visa', 'mastercard', 'amex', 'discover', 'wallet'] as const

/** A payment method as it is shown; number, code and address are never here. */
export const paymentMethod = v.object({
  method_id: id,
  type: v.picklist(['card', 'wallet']),
  brand: v.picklist(METHOD_BRANDS),
  /** Of a card, else ''. */
  last_four: text(4),
  /** Of a wallet: whose it is, else ''. */
  name: text(120),
  /** Last month in which it pays, 1 to 12; null: it does not end. */
  ends: v.nullable(v.object({ month: v.number(), year: v.number() })),
  /** `ending`: this or next month. */
  state: v.picklist(['good', 'ending', 'ended']),
  is_default: v.boolean(),
  /** Whether it may be taken away: not the last one of a plan that it pays. */
  may_go: v.boolean(),
  added_at: ms,
})
export type PaymentMethod = v.InferOutput<typeof paymentMethod>

/** A charge to come. */
const upcoming = v.object({
  subscription_id: id,
  sku: v.picklist(SKUS),
  period,
  quantity: v.number(),
  at: ms,
  /** With tax, less what the balance pays. */
  due: cents,
  method_id: v.nullable(id),
  /** Whether that method is over by then. */
  would_fail: v.boolean(),
})
export type Upcoming = v.InferOutput<typeof upcoming>

const invoice = v.object({
  bill: text(40),
  kind: v.picklist(['invoice', 'credit_note']),
  at: ms,
  subscription_id: v.nullable(id),
  lines: v.array(moneyLine),
  subtotal: cents,
  tax: cents,
  total: cents,
  balance_used: cents,
  paid: cents,
  state: v.picklist(['paid', 'open', 'void']),
  /** When it was paid, ms UTC; null: it is not, or nothing was to be paid. */
  paid_at: v.optional(v.nullable(ms), null),
  /** What it was charged to, or given back to. */
  method: v.optional(v.nullable(v.object({ brand: text(20), last_four: text(4), name: text(120) })), null),
  /** Of a credit note: the number of its invoice. */
  refers_to: v.optional(v.nullable(text(40)), null),
  /** Of a credit note: what goes back to the method, cents above 0. */
  refunded: v.optional(cents, 0),
  /** The bank has returned the refund of a credit note, and the ledger has sent it again. */
  refund_retried: v.optional(v.boolean(), false),
  /** ISO code of all its amounts. */
  currency: v.optional(text(3), FIRST_CURRENCY),
  /** Whom it is made out to, line by line. */
  buyer: v.optional(v.array(text(254)), []),
})
export type Invoice = v.InferOutput<typeof invoice>

/** Who sells, as bills name it. `tax_id` '': none. */
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
 * Reads about money (OPEN-83): `catalogue` what is sold, `payment_methods` what pays and what is to come, `invoices` what
 * was billed, newest first. Each answer holds the kind that was asked for.
 */
export const billingInfo = call('CALL-11', 'POST', '/services/{billing_provider}_info', 'web-backend', {
  request: v.object({ kind: v.picklist(['catalogue', 'payment_methods', 'invoices']) }),
  response: envelope(
    200,
    v.variant('kind', [
      v.object({
        kind: v.literal('catalogue'),
        currency: text(3),
        tax_basis_points: v.number(),
        /** Whether anything can be bought here; false without a payment provider. */
        sells: v.boolean(),
        /** Whether this account may still have its free days. */
        trial: v.boolean(),
        /** The account is on the list of people who wait for the plan of tier T3 (contract/account/t3-list.ts). */
        t3_list: v.optional(v.boolean(), false),
        plans: v.array(plan),
      }),
      v.object({
        kind: v.literal('payment_methods'),
        methods: v.array(paymentMethod),
        upcoming: v.array(upcoming),
        balance: cents,
        /** Billing address of the default card, line by line; empty: none. */
        address: v.array(text(120)),
      }),
      v.object({ kind: v.literal('invoices'), seller, invoices: v.array(invoice) }),
    ]),
  ),
})

/** The account's own book, for who wants to check it: entries, the oldest first, whose postings sum to 0. */
export const getBook = call('EXT-book', 'GET', '/extension/book', 'extension', {
  request: v.object({ after: v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}$/))) }),
  response: envelope(
    200,
    v.object({
      entries: v.array(
        v.object({
          entry: v.number(),
          at: ms,
          kind: text(40),
          subject: text(120),
          postings: v.array(v.object({ account: text(60), cents })),
        }),
      ),
      /** What the accounts hold after all of it. */
      sums: v.array(v.object({ account: text(60), cents })),
      /** Where the next page goes on; null: this is the last one. */
      next: v.nullable(text(9)),
    }),
  ),
})
