import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, id, timestampMs, text } from '../wire/envelope.ts'
import { cents, idempotencyKey, period } from './money.ts'
import { moneyLine } from './purchase.ts'
import { SKUS } from './skus.ts'

/** Cancellation calls: cancel, undo, pause, pay an open invoice, extend the trial (docs/billing.md). */

export const CANCEL_REASONS = ['price', 'unused', 'missing', 'quality', 'other_service', 'moving'] as const
export type CancelReason = (typeof CANCEL_REASONS)[number]

/**
 * End of a canceled plan. `now`: immediately. This option is offered in the 14 days after the first payment, with a
 * full refund (OPEN-178), and while a payment is past due, without a refund. `month_end`: end of the current month of
 * an annual period, with a refund of the unused whole months. `end`: end of the paid period, without a refund.
 */
export const CANCELLATION_TIMINGS = ['now', 'month_end', 'end'] as const
export type CancellationTiming = (typeof CANCELLATION_TIMINGS)[number]

/**
 * Days for which events beyond the retention period stay hidden before their deletion. Counted in real time, not on the
 * test clock.
 */
export const SOFT_DELETE_DAYS = 14
export const PAUSE_MONTHS_MAX = 3

const refundMethod = v.object({ brand: text(20), last_four: text(4), name: text(120) })

const cancellationOption = v.object({
  way: v.picklist(CANCELLATION_TIMINGS),
  ends_at: timestampMs,
  /** Line items of the credit note, with amounts below 0. Empty: no refund. */
  lines: v.array(moneyLine),
  subtotal: cents,
  tax: cents,
  total: cents,
  /** Cents refunded to the original payment method and to the balance, 0 or above. */
  to_method: cents,
  to_balance: cents,
  /** Part of `to_method` that is taken from the balance. */
  from_balance: v.optional(cents, 0),
  method: v.nullable(refundMethod),
  /** `month_end`: number of unused whole months that are refunded; otherwise 0. */
  months: v.number(),
})
export type CancellationOption = v.InferOutput<typeof cancellationOption>

const planSelection = { sku: v.picklist(SKUS), period, quantity: v.number() }

const cancellationPreview = v.object({
  subscription_id: id,
  revision: v.number(),
  /** The page selects the first option by default, and also offers all other options. */
  ways: v.pipe(v.array(cancellationOption), v.minLength(1)),
  /**
   * Number of visible clips and longest retention period in days: now (`shown`, `shown_days`) and without this plan
   * (`kept`, `kept_days`). `bytes`: size of all stored clips, 0 if unknown. `bills`: number of invoices.
   */
  clips: v.object({
    shown: v.number(),
    shown_days: v.number(),
    kept: v.number(),
    kept_days: v.number(),
    bytes: v.number(),
    bills: v.number(),
  }),
  offers: v.object({
    /** Maximum months of a pause; 0: not available. */
    pause_months: v.number(),
    /**
     * Offer of the Camera AI plan for only the covered cameras that had clips in the last 30 days. Prices are before
     * tax. Null: no such offer.
     */
    fewer: v.nullable(v.object({ ...planSelection, cents, keeps_days: v.number() })),
    /** Offer of the same plan billed monthly, or of the next lower plan; null: no such offer. */
    other: v.nullable(v.object({ ...planSelection, cents, keeps_days: v.number() })),
  }),
})
export type CancellationPreview = v.InferOutput<typeof cancellationPreview>

/**
 * Previews a cancellation. Read-only. 409 `ends`: the plan already ends automatically. 403: the plan was bought in
 * another channel.
 */
export const getCancellationPreview = call('EXT-leaving', 'GET', '/extension/leaving', 'extension', {
  request: v.object({ subscription_id: id }),
  response: envelope(200, cancellationPreview),
})

/** Subscription revision that the page has read. The provider rejects a stale revision with 409 `stale`. */
const subscriptionRevision = {
  subscription_id: id,
  revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
  intent: idempotencyKey,
}

/** Cancels a subscription. The refund matches `getCancellationPreview` and is sent when the plan ends. */
export const cancelSubscription = call('CALL-09', 'POST', '/api/v2/cancel/{billing_provider}', 'web-backend', {
  request: v.object({
    ...subscriptionRevision,
    way: v.picklist(CANCELLATION_TIMINGS),
    reason: v.nullable(v.picklist(CANCEL_REASONS)),
  }),
  response: envelope(
    200,
    v.object({
      subscription_id: id,
      ends_at: timestampMs,
      /** Cents refunded to the payment method and to the balance, 0 or above. */
      to_method: cents,
      to_balance: cents,
      /** Number of the credit note; '' if there is no credit note yet, or no refund. */
      bill: text(40),
    }),
  ),
})

/** Undoes a cancellation before the plan ends. Free of charge. */
export const reactivateSubscription = call(
  'CALL-07',
  'POST',
  '/services/reactivate/{billing_provider}',
  'web-backend',
  {
    request: v.object(subscriptionRevision),
    response: envelope(200, v.object({ subscription_id: id, renews_at: timestampMs })),
  },
)

const pauseResponse = envelope(
  200,
  v.object({ subscription_id: id, paused_until: v.nullable(timestampMs), renews_at: timestampMs }),
)
/** Pauses a plan immediately: no charges and no entitlements. The plan's dates move by the length of the pause. */
export const pausePlan = call(
  'EXT-pause',
  'POST',
  '/extension/pause',
  'extension',
  {
    request: v.object({
      ...subscriptionRevision,
      months: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(PAUSE_MONTHS_MAX)),
    }),
    response: pauseResponse,
  },
  { nonce: true },
)
/** Ends a pause early. The plan's dates move only by the time for which the plan was paused. */
export const resumePlan = call(
  'EXT-resume',
  'POST',
  '/extension/resume',
  'extension',
  { request: v.object(subscriptionRevision), response: pauseResponse },
  { nonce: true },
)

/** Pays the open invoice of a failed renewal with a chosen method. Poll a pending payment with `getPurchaseTask`. */
export const payOpenInvoice = call(
  'EXT-pay-open',
  'POST',
  '/extension/pay-open',
  'extension',
  {
    request: v.object({ ...subscriptionRevision, method_id: id }),
    response: envelope(
      200,
      v.variant('state', [
        v.object({ state: v.literal('done'), subscription_id: id, paid: cents }),
        v.object({ state: v.literal('pending'), process_id: id }),
      ]),
    ),
  },
  { nonce: true },
)

export const TRIAL_EXTENSION_DAYS = 7
/** Returns the days by which the free trial was extended, and the maximum of these days (OPEN-91). Read-only. */
export const getTrialExtensions = call('CALL-15', 'GET', '/services/extension', 'web-backend', {
  request: v.object({}),
  response: envelope(
    200,
    v.object({
      /** Null: no free trial is running. */
      extension: v.nullable(
        v.object({ subscription_id: id, used: v.number(), maximum: v.number(), until: timestampMs }),
      ),
    }),
  ),
})
/** Extends the free trial by `TRIAL_EXTENSION_DAYS`. Fails with code 4302 if the extension would exceed the maximum. */
export const extendTrial = call(
  'EXT-extend',
  'POST',
  '/extension/extend',
  'extension',
  {
    request: v.object({ subscription_id: id, intent: idempotencyKey }),
    response: envelope(200, v.object({ used: v.number(), maximum: v.number(), until: timestampMs })),
  },
  { nonce: true },
)
