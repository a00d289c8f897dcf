import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, id, ms, text } from '../wire/envelope.ts'
import { cents, intentKey, period } from './money.ts'
import { moneyLine } from './purchase.ts'
import { SKUS } from './skus.ts'

/** Leaving a plan, and staying after all: cancel, undo, pause, mend a charge, more free days (docs/billing.md). */

/** Why somebody leaves; nobody has to say. */
export const CANCEL_REASONS = ['price', 'unused', 'missing', 'quality', 'other_service', 'moving'] as const
export type CancelReason = (typeof CANCEL_REASONS)[number]

/**
 * How a plan can be left. `now`: it ends at once and all of it comes back (14 days from the first charge). `month_end`: it ends
 * with the month that runs, and unused whole months of an annual plan come back then. `end`: it runs as long as it is paid.
 */
export const LEAVE_WAYS = ['now', 'month_end', 'end'] as const
export type CancellationTiming = (typeof LEAVE_WAYS)[number]

/** Days of real time for which what a plan no longer keeps is hidden before it is deleted. */
export const HIDDEN_DAYS = 14
/** Months that a plan can be paused for. */
export const PAUSE_MONTHS_MAX = 3

const paidWith = v.object({ brand: text(20), last_four: text(4), name: text(120) })

/** One way to leave, with its credit note to the cent. */
const leavingWay = v.object({
  way: v.picklist(LEAVE_WAYS),
  ends_at: ms,
  /** Lines of the credit note, below 0; empty: nothing comes back. */
  lines: v.array(moneyLine),
  subtotal: cents,
  tax: cents,
  total: cents,
  /** Of it, above 0: what goes back to where it came from, and to the balance. */
  to_method: cents,
  to_balance: cents,
  /** Part of `to_method` that leaves the balance: changes of the plan had moved it there. */
  from_balance: v.optional(cents, 0),
  method: v.nullable(paidWith),
  /** Unused whole months that it pays back. */
  months: v.number(),
})
export type LeavingWay = v.InferOutput<typeof leavingWay>

const planSelection = { sku: v.picklist(SKUS), period, quantity: v.number() }

/** What leaving a plan means for this account, from its own book and clips. */
const leaving = v.object({
  subscription_id: id,
  revision: v.number(),
  /** The first one is what the page speaks of; others are said beside it. */
  ways: v.pipe(v.array(leavingWay), v.minLength(1)),
  /** Clips shown now, and those that would be without this plan; `bytes` and `bills`: what taking everything brings. */
  clips: v.object({
    shown: v.number(),
    shown_days: v.number(),
    kept: v.number(),
    kept_days: v.number(),
    bytes: v.number(),
    bills: v.number(),
  }),
  offers: v.object({
    /** Months that it can be paused for at most; 0: it cannot. */
    pause_months: v.number(),
    /** Camera AI for the cameras that had the most clips; prices before tax. */
    fewer: v.nullable(v.object({ ...planSelection, cents, keeps_days: v.number() })),
    /** The same plan by the month, or the one below. */
    other: v.nullable(v.object({ ...planSelection, cents, keeps_days: v.number() })),
  }),
})
export type Leaving = v.InferOutput<typeof leaving>

/** What leaving would mean; nothing changes. 409 `ends` for a plan that ends by itself, 403 for one of another channel. */
export const getCancellationPreview = call('EXT-leaving', 'GET', '/extension/leaving', 'extension', {
  request: v.object({ subscription_id: id }),
  response: envelope(200, leaving),
})

/** The subscription as the page knew it: a stale revision changes nothing (409 `stale`). */
const changed = { subscription_id: id, revision: v.pipe(v.number(), v.integer(), v.minValue(0)), intent: intentKey }

/** Leaves a plan. What comes back is as `getLeaving` said; it is sent when the plan ends. */
export const cancelSubscription = call('CALL-09', 'POST', '/api/v2/cancel/{billing_provider}', 'web-backend', {
  request: v.object({ ...changed, way: v.picklist(LEAVE_WAYS), reason: v.nullable(v.picklist(CANCEL_REASONS)) }),
  response: envelope(
    200,
    v.object({
      subscription_id: id,
      ends_at: ms,
      /** Cents, above 0. */
      to_method: cents,
      to_balance: cents,
      /** Number of the credit note, '' where there is none, or not yet. */
      bill: text(40),
    }),
  ),
})

/** Takes a cancellation back, until the plan ends. Costs nothing. */
export const reactivate = call('CALL-07', 'POST', '/services/reactivate/{billing_provider}', 'web-backend', {
  request: v.object(changed),
  response: envelope(200, v.object({ subscription_id: id, renews_at: ms })),
})

const paused = envelope(200, v.object({ subscription_id: id, paused_until: v.nullable(ms), renews_at: ms }))
/** Pauses a plan from now on: neither charge nor what it gives, and its dates move by as much. */
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
/** Ends a pause before its time: dates move by what was paused only. */
export const resumePlan = call(
  'EXT-resume',
  'POST',
  '/extension/resume',
  'extension',
  { request: v.object(changed), response: paused },
  { nonce: true },
)

/** Pays what a failed renewal has left open, with a method of one's choice; answers as a purchase does. */
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

/** Days that one use adds to a trial. */
export const EXTENSION_DAYS = 7
/** The extension of the free days (OPEN-91): how many days were added, and how many can be. Only reads. */
export const servicesExtension = call('CALL-15', 'GET', '/services/extension', 'web-backend', {
  request: v.object({}),
  response: envelope(
    200,
    v.object({
      /** Null: there is nothing to extend. */
      extension: v.nullable(v.object({ subscription_id: id, used: v.number(), maximum: v.number(), until: ms })),
    }),
  ),
})
/** Adds `EXTENSION_DAYS` to the free days; 4302 beyond the maximum. */
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
