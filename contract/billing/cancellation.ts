import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, id, ms, text } from '../wire/envelope.ts'
import { cents, intentKey, period } from './money.ts'
import { moneyLine } from './purchase.ts'
import { SKUS } from './skus.ts'

/** Cancellation calls: cancel, undo, pause, pay an open invoice, extend the trial (docs/billing.md). */

/** Reasons for a cancellation; giving one is optional. */
export const CANCEL_REASONS = ['price', 'unused', 'missing', 'quality', 'other_service', 'moving'] as const
export type CancelReason = (typeof CANCEL_REASONS)[number]

/**
 * Options for a cancellation. `now`: immediate, with a full refund (14 days from the first charge). `month_end`: at the
 * end of the month, with unused whole months of an annual plan refunded. `end`: at the end of the paid period.
 */
export const LEAVE_WAYS = ['now', 'month_end', 'end'] as const
export type CancellationTiming = (typeof LEAVE_WAYS)[number]

/**
 * Soft-delete window in days of real time: events older than the plan's retention period stay hidden this long, and are
 * then deleted.
 */
export const HIDDEN_DAYS = 14
export const PAUSE_MONTHS_MAX = 3

const paidWith = v.object({ brand: text(20), last_four: text(4), name: text(120) })

/** One cancellation option, with its exact credit note. */
const leavingWay = v.object({
  way: v.picklist(LEAVE_WAYS),
  ends_at: ms,
  /** Line items of the credit note, with amounts below 0. Empty: no refund. */
  lines: v.array(moneyLine),
  subtotal: cents,
  tax: cents,
  total: cents,
  /** Parts of the refund, as positive amounts: to the original payment method, and to the balance. */
  to_method: cents,
  to_balance: cents,
  /** Part of `to_method` that is taken from the balance, to which earlier plan changes credited it. */
  from_balance: v.optional(cents, 0),
  method: v.nullable(paidWith),
  /** Number of unused whole months that are refunded. */
  months: v.number(),
})
export type LeavingWay = v.InferOutput<typeof leavingWay>

const planSelection = { sku: v.picklist(SKUS), period, quantity: v.number() }

/** Effect of a cancellation for this account, based on its ledger and clips. */
const leaving = v.object({
  subscription_id: id,
  revision: v.number(),
  /** Cancellation options. The page presents the first one and mentions the others. */
  ways: v.pipe(v.array(leavingWay), v.minLength(1)),
  /**
   * Numbers of clips that are visible now (`shown`) and without this plan (`kept`), each with the retention period in
   * days. `bytes` and `bills`: size of a full data export.
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
     * Offer of the Camera AI plan for only the cameras with the most clips. Prices are before tax; null: no such offer.
     */
    fewer: v.nullable(v.object({ ...planSelection, cents, keeps_days: v.number() })),
    /** Offer of the same plan billed monthly, or of the next lower plan; null: no such offer. */
    other: v.nullable(v.object({ ...planSelection, cents, keeps_days: v.number() })),
  }),
})
export type Leaving = v.InferOutput<typeof leaving>

/**
 * Previews a cancellation. Read-only. 409 `ends` for a plan that ends automatically, 403 for a plan of another channel.
 */
export const getCancellationPreview = call('EXT-leaving', 'GET', '/extension/leaving', 'extension', {
  request: v.object({ subscription_id: id }),
  response: envelope(200, leaving),
})

/** The subscription as the page read it; a stale revision is rejected without effect (409 `stale`). */
const changed = { subscription_id: id, revision: v.pipe(v.number(), v.integer(), v.minValue(0)), intent: intentKey }

/** Cancels a subscription. The refund matches `getCancellationPreview` and is sent when the plan ends. */
export const cancelSubscription = call('CALL-09', 'POST', '/api/v2/cancel/{billing_provider}', 'web-backend', {
  request: v.object({ ...changed, way: v.picklist(LEAVE_WAYS), reason: v.nullable(v.picklist(CANCEL_REASONS)) }),
  response: envelope(
    200,
    v.object({
      subscription_id: id,
      ends_at: ms,
      /** Parts of the refund, in cents above 0: to the payment method, and to the balance. */
      to_method: cents,
      to_balance: cents,
      /** Number of the credit note; '' if there is none, or none yet. */
      bill: text(40),
    }),
  ),
})

/** Undoes a cancellation before the plan ends. Free of charge. */
export const reactivate = call('CALL-07', 'POST', '/services/reactivate/{billing_provider}', 'web-backend', {
  request: v.object(changed),
  response: envelope(200, v.object({ subscription_id: id, renews_at: ms })),
})

const paused = envelope(200, v.object({ subscription_id: id, paused_until: v.nullable(ms), renews_at: ms }))
/** Pauses a plan from now on: no charges and no entitlements; its dates move by the length of the pause. */
export const pausePlan = call(
  'EXT-pause',
  'POST',
  '/extension/pause',
  'extension',
  {
    request: v.object({
      ...changed,
      months: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(PAUSE_MONTHS_MAX)),
    }),
    response: paused,
  },
  { nonce: true },
)
/** Ends a pause early. The plan's dates move only by the time for which the plan was paused. */
export const resumePlan = call(
  'EXT-resume',
  'POST',
  '/extension/resume',
  'extension',
  { request: v.object(changed), response: paused },
  { nonce: true },
)

/** Pays the open invoice of a failed renewal with a chosen method; responds like a purchase. */
export const payOpen = call(
  'EXT-pay-open',
  'POST',
  '/extension/pay-open',
  'extension',
  {
    request: v.object({ ...changed, method_id: id }),
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

/** Days that one extension adds to a trial. */
export const EXTENSION_DAYS = 7
/** Returns the trial extensions (OPEN-91): the number used, and the maximum. Read-only. */
export const servicesExtension = call('CALL-15', 'GET', '/services/extension', 'web-backend', {
  request: v.object({}),
  response: envelope(
    200,
    v.object({
      /** Null: no trial to extend. */
      extension: v.nullable(v.object({ subscription_id: id, used: v.number(), maximum: v.number(), until: ms })),
    }),
  ),
})
/** Extends the free trial by `EXTENSION_DAYS`. Fails with code 4302 if the maximum number of extensions is used. */
export const useExtension = call(
  'EXT-extend',
  'POST',
  '/extension/extend',
  'extension',
  {
    request: v.object({ subscription_id: id, intent: intentKey }),
    response: envelope(200, v.object({ used: v.number(), maximum: v.number(), until: ms })),
  },
  { nonce: true },
)
