import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Period } from '../../../contract/billing/money.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { inMoney } from '../../../contract/billing/amounts.ts'

export const COMPARED = ['free', 'cam-ai', 'unlimited', 'pro'] as const

/** Price of each plan in cents, by period. */
export type Prices = Readonly<Record<Sku, { readonly monthly: number; readonly annual: number }>>

/** Returns the cheapest plan for all cameras of the home and the difference in cents; null without cameras. */
export function bestFor(cameras: number, prices: Prices, period: Period): { sku: Sku; less: number } | null {
  if (cameras === 0) return null
  const each = prices['cam-ai'][period] * cameras
  const all = prices.unlimited[period]
  return each <= all ? { sku: 'cam-ai', less: all - each } : { sku: 'unlimited', less: each - all }
}

export function suggestionText(best: { sku: Sku; less: number }, cameras: number, currency: string): string {
  const other = best.sku === 'unlimited' ? getPlan('cam-ai').name : getPlan('unlimited').name
  const on = best.sku === 'unlimited' && cameras > 1 ? ` on all ${cameras}` : ''
  return best.less > 0 ? `${inMoney(best.less, currency)} less than ${other}${on}` : `As much as ${other}`
}

/** Returns the minimum saving of annual billing over all plans, in whole percent. */
export function yearSaves(prices: Prices): number {
  const parts = COMPARED.filter((sku) => prices[sku].monthly > 0).map(
    (sku) => 1 - prices[sku].annual / (prices[sku].monthly * 12),
  )
  return Math.max(0, Math.floor(Math.min(...parts) * 100))
}

export interface Comparison {
  readonly what: string
  readonly means: string
  readonly has: Readonly<Record<'free' | 'cam-ai' | 'unlimited' | 'pro', string>>
}

const days = (sku: Sku) => (getPlan(sku).keepsDays === 1 ? '1 day' : `${getPlan(sku).keepsDays} days`)
const each = (of: (sku: (typeof COMPARED)[number]) => string) =>
  Object.fromEntries(COMPARED.map((sku) => [sku, of(sku)])) as Comparison['has']

export const COMPARISON: readonly Comparison[] = [
  { what: 'Live view', means: 'Every camera, on every plan.', has: each(() => 'Yes') },
  { what: 'Clips kept', means: 'How long what was recorded can be watched.', has: each(days) },
  {
    what: 'Cameras',
    means: 'Which of your cameras it is for.',
    has: { free: 'All', 'cam-ai': 'Those you choose', unlimited: 'All, up to 99', pro: 'All, up to 99' },
  },
  {
    what: 'Search',
    means: 'Ask for what happened, in your own words: “a red car at night”.',
    has: each((sku) => (getPlan(sku).search ? 'Yes' : 'No')),
  },
  {
    what: 'People',
    means:
      'You name the people your cameras recognize; until then clips say “Person 1”. Demo cameras and cameras with a describer recognize people.',
    has: each((sku) => (getPlan(sku).people ? 'Yes' : 'No')),
  },
]
