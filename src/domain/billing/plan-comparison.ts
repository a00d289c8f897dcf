import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Period } from '../../../contract/billing/money.ts'
import type { Sku } from '../../../contract/billing/skus.ts'

export const COMPARED_PLANS = ['free', 'cam-ai', 'unlimited', 'pro'] as const

/** Price of each plan in cents, by period. */
export type Prices = Readonly<Record<Sku, { readonly monthly: number; readonly annual: number }>>

interface CheapestPlan {
  readonly sku: 'cam-ai' | 'unlimited'
  /** Price difference of the two plans in cents. */
  readonly less: number
}

/**
 * Returns the cheaper one of the plans `cam-ai` and `unlimited` for all cameras of the home; null without cameras.
 */
export function findCheapestPlan(cameras: number, prices: Prices, period: Period): CheapestPlan | null {
  if (cameras === 0) return null
  const perCameraCents = prices['cam-ai'][period] * cameras
  const unlimitedCents = prices.unlimited[period]
  return perCameraCents <= unlimitedCents
    ? { sku: 'cam-ai', less: unlimitedCents - perCameraCents }
    : { sku: 'unlimited', less: perCameraCents - unlimitedCents }
}

/**
 * Returns the smallest saving of annual billing among the compared plans that have a price, in whole percent, rounded
 * down.
 */
export function annualSavingPercent(prices: Prices): number {
  const savings = COMPARED_PLANS.filter((sku) => prices[sku].monthly > 0).map(
    (sku) => 1 - prices[sku].annual / (prices[sku].monthly * 12),
  )
  return Math.max(0, Math.floor(Math.min(...savings) * 100))
}

export interface PlanComparisonRow {
  readonly feature: string
  /** Example or explanation; '' for none. */
  readonly note: string
  /** Text per plan, or whether the plan includes the feature. */
  readonly values: Readonly<Record<(typeof COMPARED_PLANS)[number], string | boolean>>
}

const formatRetention = (sku: Sku) => (getPlan(sku).keepsDays === 1 ? '1 day' : `${getPlan(sku).keepsDays} days`)
const valuesByPlan = (getValue: (sku: (typeof COMPARED_PLANS)[number]) => string | boolean) =>
  Object.fromEntries(COMPARED_PLANS.map((sku) => [sku, getValue(sku)])) as PlanComparisonRow['values']

export const PLAN_COMPARISON: readonly PlanComparisonRow[] = [
  { feature: 'Live video', note: '', values: valuesByPlan(() => true) },
  { feature: 'Clip history', note: '', values: valuesByPlan(formatRetention) },
  {
    feature: 'Cameras',
    note: '',
    values: { free: 'All', 'cam-ai': 'The ones you choose', unlimited: 'All, up to 99', pro: 'All, up to 99' },
  },
  {
    feature: 'Event types',
    note: '',
    values: valuesByPlan((sku) => (sku === 'free' ? 'All except faces' : 'All')),
  },
  { feature: 'Search', note: '“a red car at night”', values: valuesByPlan((sku) => getPlan(sku).search) },
  {
    feature: 'People by name',
    note: 'Name a person once, and later clips will show the name. Requires cameras that recognize faces.',
    values: valuesByPlan((sku) => getPlan(sku).people),
  },
]
