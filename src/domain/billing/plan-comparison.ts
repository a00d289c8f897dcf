import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Period } from '../../../contract/billing/money.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { formatMoney } from '../../../contract/billing/amounts.ts'

export const COMPARED_PLANS = ['free', 'cam-ai', 'unlimited', 'pro'] as const

/** Price of each plan in cents, by period. */
export type Prices = Readonly<Record<Sku, { readonly monthly: number; readonly annual: number }>>

/**
 * Returns the cheaper one of the plans `cam-ai` and `unlimited` for all cameras of the home; null without cameras.
 * `less`: price difference of these two plans in cents.
 */
export function findCheapestPlan(cameras: number, prices: Prices, period: Period): { sku: Sku; less: number } | null {
  if (cameras === 0) return null
  const perCameraCents = prices['cam-ai'][period] * cameras
  const unlimitedCents = prices.unlimited[period]
  return perCameraCents <= unlimitedCents
    ? { sku: 'cam-ai', less: unlimitedCents - perCameraCents }
    : { sku: 'unlimited', less: perCameraCents - unlimitedCents }
}

export function suggestionText(best: { sku: Sku; less: number }, cameras: number, currency: string): string {
  const other = best.sku === 'unlimited' ? getPlan('cam-ai').name : getPlan('unlimited').name
  const scope = best.sku === 'unlimited' && cameras > 1 ? ` on all ${cameras}` : ''
  return best.less > 0 ? `${formatMoney(best.less, currency)} less than ${other}${scope}` : `As much as ${other}`
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
  readonly what: string
  readonly means: string
  readonly has: Readonly<Record<'free' | 'cam-ai' | 'unlimited' | 'pro', string>>
}

const formatRetention = (sku: Sku) => (getPlan(sku).keepsDays === 1 ? '1 day' : `${getPlan(sku).keepsDays} days`)
const valuesByPlan = (getValue: (sku: (typeof COMPARED_PLANS)[number]) => string) =>
  Object.fromEntries(COMPARED_PLANS.map((sku) => [sku, getValue(sku)])) as PlanComparisonRow['has']

export const PLAN_COMPARISON: readonly PlanComparisonRow[] = [
  { what: 'Live view', means: 'Every camera, on every plan.', has: valuesByPlan(() => 'Yes') },
  { what: 'Clips kept', means: 'How long what was recorded can be watched.', has: valuesByPlan(formatRetention) },
  {
    what: 'Cameras',
    means: 'Which of your cameras it is for.',
    has: { free: 'All', 'cam-ai': 'Those you choose', unlimited: 'All, up to 99', pro: 'All, up to 99' },
  },
  {
    what: 'Search',
    means: 'Ask for what happened, in your own words: “a red car at night”.',
    has: valuesByPlan((sku) => (getPlan(sku).search ? 'Yes' : 'No')),
  },
  {
    what: 'People',
    means:
      'You name the people your cameras recognize; until then clips say “Person 1”. Demo cameras and cameras with a describer recognize people.',
    has: valuesByPlan((sku) => (getPlan(sku).people ? 'Yes' : 'No')),
  },
]
