import * as v from 'valibot'
import { text } from '../wire/envelope.ts'

/** Default sales tax, in hundredths of a percent: 8.25 %. */
export const DEFAULT_TAX_BASIS_POINTS = 825

/** Amount in integer cents. In line items and their totals, a negative amount is in the buyer's favor. */
export const cents = v.pipe(v.number(), v.integer())
export const PERIODS = ['monthly', 'annual'] as const
export const period = v.picklist(PERIODS)
export type Period = (typeof PERIODS)[number]

/** Billing provider that collects a payment (OPEN-86). `recurring`: the current default payment method. */
export const BILLING_PROVIDERS = ['recurring', 'card', 'wallet'] as const
export type BillingProvider = (typeof BILLING_PROVIDERS)[number]
export const DEFAULT_REDEEM_SOURCE: BillingProvider = 'recurring'

/** Sales channel of a subscription. This API changes only `web` subscriptions. A `bonus` ends automatically. */
export const PURCHASE_CHANNELS = ['web', 'amazon', 'bonus'] as const
export type PurchaseChannel = (typeof PURCHASE_CHANNELS)[number]

/**
 * Idempotency key. For 30 days, a request with the same key and body gets the stored response of the first one; a
 * request with the same key and another body fails.
 */
export const idempotencyKey = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{16,64}$/))

/** Maximum licenses per order (OPEN-78). */
export const QUANTITY_MAX = 99
export const quantity = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(QUANTITY_MAX))

/** Coupon code (OPEN-29), case-insensitive. */
export const couponCode = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))

/** Length of the free trial of the Camera AI plan, days. Each account has one trial, without a card. */
export const TRIAL_DAYS = 14

export const QUOTE_LIFETIME_MS = 600_000

/** Rejected form field, with the sentence to show next to the field. */
export const fieldProblem = v.object({ field: text(40), text: text(300) })
export type FieldProblem = v.InferOutput<typeof fieldProblem>
