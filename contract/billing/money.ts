import * as v from 'valibot'
import { text } from '../wire/envelope.ts'

/** Sales tax where no other is configured, in hundredths of a percent: 8.25 %. */
export const DEFAULT_TAX_BASIS_POINTS = 825

/** Integer cents; negative: in the buyer's favour. */
export const cents = v.pipe(v.number(), v.integer())
export const PERIODS = ['monthly', 'annual'] as const
export const period = v.picklist(PERIODS)
export type Period = (typeof PERIODS)[number]

/** Who collects the money (OPEN-86). `recurring`: whatever method is the default one. */
export const BILLING_PROVIDERS = ['recurring', 'card', 'wallet'] as const
export type BillingProvider = (typeof BILLING_PROVIDERS)[number]
export const DEFAULT_REDEEM_SOURCE: BillingProvider = 'recurring'

/** Where a subscription was bought. Only those of the web are changed here; a bonus ends by itself. */
export const CHANNELS = ['web', 'amazon', 'bonus'] as const
export type Channel = (typeof CHANNELS)[number]

/** Names one intent of a person: the same key with the same body has the same answer for 30 days. */
export const intentKey = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{16,64}$/))

/** Licences of one order (OPEN-78). */
export const QUANTITY_MAX = 99
export const quantity = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(QUANTITY_MAX))

/** A coupon code as people have it (OPEN-29); case does not matter. */
export const couponCode = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))

/** Free days of the camera AI plan that an account gets once, without a card. */
export const TRIAL_DAYS = 14

/** A quote is good for so long. */
export const QUOTE_MS = 600_000

/** A field that a refusal is about, and the sentence beside it. */
export const fieldProblem = v.object({ field: text(40), text: text(300) })
export type FieldProblem = v.InferOutput<typeof fieldProblem>
