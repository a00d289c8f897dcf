import * as v from 'valibot'
import { paymentMethod } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { CHANGE_NUMBERS } from '../../../contract/billing/change-codes.ts'
import { CANCEL_REASONS, LEAVE_WAYS } from '../../../contract/billing/cancellation.ts'
import { FIRST_CURRENCY } from '../../../contract/billing/amounts.ts'
import { BILLING_PROVIDERS, CHANNELS, cents, fieldProblem, period } from '../../../contract/billing/money.ts'
import { moneyLine, order } from '../../../contract/billing/purchase.ts'
import { SKUS } from '../../../contract/billing/skus.ts'
import { sealedQuote } from '../../platform/tickets/quote-ticket.ts'

/** What a ledger keeps, one schema a kind. Times are ms UTC. */

const at = v.number()
/** ISO code; records of before have none. */
const currency = v.optional(v.string(), FIRST_CURRENCY)
const paidWith = v.object({ brand: v.string(), last_four: v.string(), name: v.string() })
const selectionFields = { sku: v.picklist(SKUS), period, quantity: v.number() }

export const subscriptionRecord = v.object({
  subscription_id: v.string(),
  ...selectionFields,
  channel: v.picklist(CHANNELS),
  status: v.picklist(['active', 'cancelled', 'past_due', 'trial']),
  billing_provider: v.picklist(BILLING_PROVIDERS),
  since: at,
  /** Periods are counted from here: `until` is so many `months` later, where it was paid by months. */
  anchor: at,
  months: v.number(),
  /** The period that runs, and what it cost before tax, coupon included. */
  from: at,
  until: at,
  paid: cents,
  /** Months of a coupon: nothing was paid, and without a method it ends by itself. */
  free: v.boolean(),
  revision: v.number(),
  scheduled: v.nullable(v.object(selectionFields)),
  /** The bill that is not paid, and how often it was tried. */
  overdue: v.nullable(
    v.object({
      bill: v.string(),
      tries: v.number(),
      /** When it was declined first: tries and days of grace are counted from here; left out: the end of what was paid. */
      since: v.optional(at),
      /** Why the last try failed, and what it was charged to; '' where there was no method. */
      code: v.optional(v.string(), ''),
      method: v.optional(v.nullable(paidWith), null),
    }),
  ),
  /** While it is paused it gives nothing and costs nothing; its dates are moved by the whole pause already. */
  paused: v.optional(v.nullable(v.object({ from: at, until: at })), null),
  /** Of a cancelled one: when and how it is left, what it was before, and what comes back at its end. */
  leaving: v.optional(
    v.nullable(
      v.object({
        at,
        way: v.picklist(LEAVE_WAYS),
        reason: v.nullable(v.picklist(CANCEL_REASONS)),
        until: at,
        scheduled: v.nullable(v.object(selectionFields)),
        lines: v.array(moneyLine),
        ...{ to_method: cents, to_balance: cents },
      }),
    ),
    null,
  ),
  /** Days that were added to free ones. */
  extended: v.optional(v.number(), 0),
  /** It gives nothing any more. */
  over: v.boolean(),
})
export type SubscriptionRecord = v.InferOutput<typeof subscriptionRecord>

export const licenseRecord = v.object({ device_id: v.string(), subscription_id: v.string(), bound_at: at })

export const invoiceRecord = v.object({
  bill: v.string(),
  kind: v.picklist(['invoice', 'credit_note']),
  at,
  subscription_id: v.nullable(v.string()),
  lines: v.array(moneyLine),
  currency,
  ...{ subtotal: cents, tax: cents, total: cents, balance_used: cents, paid: cents },
  state: v.picklist(['paid', 'open', 'void']),
  paid_at: v.optional(v.nullable(at), null),
  method: v.optional(v.nullable(paidWith), null),
  refers_to: v.optional(v.nullable(v.string()), null),
  refunded: v.optional(cents, 0),
  /** The bank has returned the refund, and it was sent again. */
  refund_retried: v.optional(v.boolean(), false),
  buyer: v.optional(v.array(v.string()), []),
})
export type InvoiceRecord = v.InferOutput<typeof invoiceRecord>

export const redemptionRecord = v.object({
  code: v.string(),
  kind: v.picklist(['percent', 'amount', 'credit', 'free_months', 'bonus']),
  sku: v.nullable(v.picklist(SKUS)),
  value: v.number(),
  at,
})

export const methodRecord = v.object({
  method_id: v.string(),
  session: v.string(),
  token: v.string(),
  ...v.pick(paymentMethod, ['type', 'brand', 'last_four', 'name', 'ends', 'is_default', 'added_at']).entries,
  address: v.array(v.string()),
})
export type MethodRecord = v.InferOutput<typeof methodRecord>

const ledgerErrorSchema = v.object({
  state: v.literal('refused'),
  code: v.union([v.number(), v.string()]),
  status: v.picklist([400, 402, 403, 404, 409, 422, 429, 503]),
  msg: v.optional(v.string()),
  data: v.optional(v.object({ errors: v.array(fieldProblem) })),
})
export type DeclinedAnswer = v.InferOutput<typeof ledgerErrorSchema>

/**
 * A charge under way, or what became of it. `heard`: the gateway has answered once, so that it goes on by itself; `parked`: it
 * did not at the first time, and only the same intent asks again; `stuck`: the book does not take what became of it.
 */
export const chargeRecord = v.object({
  /** Names the charge at the gateway for good, and the task to those who follow it. */
  charge_id: v.string(),
  /** Key of the intent; of a renewal its own. */
  intent: v.string(),
  state: v.picklist(['written', 'authorised', 'captured', 'booked', 'declined']),
  begun_at: at,
  cents,
  currency,
  token: v.string(),
  method_id: v.string(),
  heard: v.boolean(),
  parked: v.boolean(),
  stuck: v.optional(v.boolean(), false),
  /** When it was asked for last. */
  asked_at: at,
  /** The bank's page while it asks the buyer. */
  action_url: v.optional(v.nullable(v.string())),
  /** The gateway's own id, once captured. */
  charge: v.nullable(v.string()),
  job: v.variant('kind', [
    v.object({
      kind: v.literal('purchase'),
      sealed: sealedQuote,
      change: v.nullable(v.picklist(CHANGE_NUMBERS)),
      cameras: v.array(v.string()),
      own: v.array(v.string()),
    }),
    v.object({
      kind: v.literal('renewal'),
      subscription_id: v.string(),
      at,
      /** Somebody asked for it and is answered; a refusal is no try of ours. */
      asked: v.optional(v.boolean(), false),
    }),
  ]),
  declined: v.nullable(ledgerErrorSchema),
})
export type ChargeRecord = v.InferOutput<typeof chargeRecord>
export type PurchaseJob = Extract<ChargeRecord['job'], { kind: 'purchase' }>

/** An intent that was answered: the same body has the same answer for 30 days. */
export const intentRecord = v.object({ hash: v.string(), at, answer: v.unknown() })

/** What the account wants to happen by itself. */
export const choiceRecord = v.object({ on: v.boolean() })

export const orderRecord = v.object({ ...order.entries, intent: v.string() })

/** Cents of a charge that go back to where they came from. `sent`: the gateway has them; `failed`: the bank has returned them. */
export const refundRecord = v.object({
  refund_id: v.string(),
  charge_id: v.string(),
  cents,
  at,
  bill: v.string(),
  state: v.picklist(['open', 'sent', 'failed']),
  /** Number of this attempt. */
  attempt: v.optional(v.number(), 1),
})

/** What somebody is told ahead of time: the next such moment of a subscription or a method. */
export const noticeRecord = v.object({
  id: v.string(),
  what: v.picklist(['trial_ends', 'renewal_ahead', 'card_ends']),
  at,
})
export type NoticeRecord = v.InferOutput<typeof noticeRecord>

export const RECORDS = {
  subscription: subscriptionRecord,
  licence: licenseRecord,
  invoice: invoiceRecord,
  redemption: redemptionRecord,
  order: orderRecord,
  method: methodRecord,
  charge: chargeRecord,
  intent: intentRecord,
  refund: refundRecord,
  notice: noticeRecord,
  choice: choiceRecord,
} as const
export type RecordKind = keyof typeof RECORDS
export type RecordOf<K extends RecordKind> = v.InferOutput<(typeof RECORDS)[K]>

/** Kinds of which the journal keeps each state; what is left out names people, or is forgotten. */
export const JOURNALED: readonly RecordKind[] = ['subscription', 'licence', 'invoice', 'redemption', 'order', 'refund']
