import * as v from 'valibot'
import { paymentMethod } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { CHANGE_CODE_VALUES } from '../../../contract/billing/change-codes.ts'
import { CANCEL_REASONS, CANCELLATION_TIMINGS } from '../../../contract/billing/cancellation.ts'
import { LEGACY_CURRENCY } from '../../../contract/billing/amounts.ts'
import { BILLING_PROVIDERS, PURCHASE_CHANNELS, cents, fieldProblem, period } from '../../../contract/billing/money.ts'
import { moneyLine, order } from '../../../contract/billing/purchase.ts'
import { SKUS } from '../../../contract/billing/skus.ts'
import { quoteContentSchema } from '../../platform/tickets/quote-ticket.ts'

/** Schemas of a ledger's records, one per kind. Times are ms UTC. */

const at = v.number()
/** ISO currency code. Older records have none. */
const currency = v.optional(v.string(), LEGACY_CURRENCY)
const methodSummarySchema = v.object({ brand: v.string(), last_four: v.string(), name: v.string() })
const selectionFields = { sku: v.picklist(SKUS), period, quantity: v.number() }

export const subscriptionRecord = v.object({
  subscription_id: v.string(),
  ...selectionFields,
  channel: v.picklist(PURCHASE_CHANNELS),
  status: v.picklist(['active', 'cancelled', 'past_due', 'trial']),
  billing_provider: v.picklist(BILLING_PROVIDERS),
  since: at,
  /**
   * Date from which billing periods are counted. A paid period ends `months` calendar months after this date; free
   * trials, bonus days and cancellations set another end.
   */
  anchor: at,
  months: v.number(),
  /** `from`, `until`: current billing period. `paid`: price of that period after a coupon, in cents, before tax. */
  from: at,
  until: at,
  paid: cents,
  /**
   * True during the free months of a coupon. After these months, the subscription ends if the account has no payment
   * method; otherwise it renews.
   */
  free: v.boolean(),
  revision: v.number(),
  scheduled: v.nullable(v.object(selectionFields)),
  /** Open invoice, and the number of attempts to collect it. */
  overdue: v.nullable(
    v.object({
      bill: v.string(),
      tries: v.number(),
      /**
       * Time of the first decline, from which retries and grace days count. Omitted: they count from the end of the
       * paid period.
       */
      since: v.optional(at),
      /**
       * Decline code and payment method of the last failed attempt; '' and null if the account had no payment method.
       */
      code: v.optional(v.string(), ''),
      method: v.optional(v.nullable(methodSummarySchema), null),
    }),
  ),
  /**
   * Pause, during which the subscription covers nothing and causes no charge. The dates of the subscription already
   * include the whole pause.
   */
  paused: v.optional(v.nullable(v.object({ from: at, until: at })), null),
  /**
   * Pending cancellation. `until` and `scheduled`: their values before the cancellation. `lines` and amounts: refund
   * that is due when the plan ends.
   */
  leaving: v.optional(
    v.nullable(
      v.object({
        at,
        way: v.picklist(CANCELLATION_TIMINGS),
        reason: v.nullable(v.picklist(CANCEL_REASONS)),
        until: at,
        scheduled: v.nullable(v.object(selectionFields)),
        lines: v.array(moneyLine),
        to_method: cents,
        to_balance: cents,
      }),
    ),
    null,
  ),
  /** Days added to a free trial. */
  extended: v.optional(v.number(), 0),
  /** True if the subscription has ended. It then covers nothing. */
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
  subtotal: cents,
  tax: cents,
  total: cents,
  balance_used: cents,
  paid: cents,
  state: v.picklist(['paid', 'open', 'void']),
  paid_at: v.optional(v.nullable(at), null),
  method: v.optional(v.nullable(methodSummarySchema), null),
  refers_to: v.optional(v.nullable(v.string()), null),
  refunded: v.optional(cents, 0),
  /** True if the bank returned the refund and the ledger sent it again. */
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

const declineSchema = v.object({
  state: v.literal('refused'),
  code: v.union([v.number(), v.string()]),
  status: v.picklist([400, 402, 403, 404, 409, 422, 429, 503]),
  msg: v.optional(v.string()),
  data: v.optional(v.object({ errors: v.array(fieldProblem) })),
})
export type StoredDecline = v.InferOutput<typeof declineSchema>

/**
 * Charge in progress, or its result. `heard`: the payment gateway has responded once. `parked`: the payment gateway has
 * not responded, and the alarm does not resume the charge. `stuck`: the ledger cannot record the result.
 */
export const chargeRecord = v.object({
  /** Permanent id of the charge at the payment gateway, and of the task that clients poll. */
  charge_id: v.string(),
  /** Idempotency key of the client. For a renewal, the ledger creates the key. */
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
  /** Time of the last request to the payment gateway. */
  asked_at: at,
  /** URL of the bank's challenge, while the bank waits for the buyer. */
  action_url: v.optional(v.nullable(v.string())),
  /** Charge id of the payment gateway, once captured. */
  charge: v.nullable(v.string()),
  job: v.variant('kind', [
    v.object({
      kind: v.literal('purchase'),
      sealed: quoteContentSchema,
      change: v.nullable(v.picklist(CHANGE_CODE_VALUES)),
      cameras: v.array(v.string()),
      own: v.array(v.string()),
    }),
    v.object({
      kind: v.literal('renewal'),
      subscription_id: v.string(),
      at,
      /**
       * True if the account started this payment. The account then gets the result, and a decline does not use up a
       * retry.
       */
      asked: v.optional(v.boolean(), false),
    }),
    /** Collected after the backup from which the ledger was restored; credited to the balance. */
    v.object({ kind: v.literal('recovered') }),
  ]),
  declined: v.nullable(declineSchema),
})
export type ChargeRecord = v.InferOutput<typeof chargeRecord>
export type PurchaseJob = Extract<ChargeRecord['job'], { kind: 'purchase' }>

/** Stored response of an idempotency key. Requests with the same body get this response for 30 days. */
export const intentRecord = v.object({ hash: v.string(), at, answer: v.unknown() })

/** Automatic behavior that the account can turn on or off. */
export const choiceRecord = v.object({ on: v.boolean() })

export const orderRecord = v.object({ ...order.entries, intent: v.string() })

/** Refund of a charge, in cents. `sent`: the payment gateway has accepted it; `failed`: the bank has returned it. */
export const refundRecord = v.object({
  refund_id: v.string(),
  charge_id: v.string(),
  cents,
  at,
  bill: v.string(),
  state: v.picklist(['open', 'sent', 'failed']),
  attempt: v.optional(v.number(), 1),
})

export const noticeRecord = v.object({
  id: v.string(),
  what: v.picklist(['trial_ends', 'renewal_ahead', 'card_ends']),
  at,
})
export type NoticeRecord = v.InferOutput<typeof noticeRecord>

export const RECORD_SCHEMAS = {
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
export type RecordKind = keyof typeof RECORD_SCHEMAS
export type RecordOf<K extends RecordKind> = v.InferOutput<(typeof RECORD_SCHEMAS)[K]>

/** Record kinds that the ledger's journal stores. These records can be rebuilt from the journal. */
export const JOURNALED_KINDS: readonly RecordKind[] = [
  'subscription',
  'licence',
  'invoice',
  'redemption',
  'order',
  'refund',
]
