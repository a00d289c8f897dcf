import { HOME_MONITORING } from '../../contract/brand.ts'
import { getPlan } from '../../contract/billing/plan-catalog.ts'
import { SKUS, type Sku } from '../../contract/billing/skus.ts'
import type { Prices } from '../domain/billing/plan-comparison.ts'
import { formatPlanSubtitle } from '../domain/copy/plan-page.ts'

/** Prices of all plans at build time, in cents. */
export const LIST_PRICES = Object.fromEntries(
  SKUS.map((sku) => [sku, { monthly: getPlan(sku).monthlyCents, annual: getPlan(sku).annualCents }]),
) as Prices

/**
 * Returns the minimum number of cameras for which `unlimited` costs less per month than a `cam-ai` license for each
 * camera.
 */
export function countCamerasWorthUnlimited(): number {
  return Math.floor(getPlan('unlimited').monthlyCents / getPlan('cam-ai').monthlyCents) + 1
}

interface PlanPage {
  readonly segment: string
  readonly title: string
  /** Shown below the title until the account's subscriptions are known. */
  readonly sentence: string
  /** Plan that the page sells. The page may offer another plan as an option. */
  readonly sku: Sku
  /** Sentence about the plan's requirements. `away`: path of the page about the plan. */
  readonly needs?: string
  readonly away?: string
}

const toPlanPage = (sku: Sku) => ({
  sku,
  segment: getPlan(sku).segment ?? sku,
  title: getPlan(sku).name,
  sentence: formatPlanSubtitle(null, { sku, period: '', quantity: 1 }),
})

/** Pages of the plans, `/account/products/{segment}` (ROUTE-08). */
export const PLAN_PAGES: readonly PlanPage[] = [
  toPlanPage('cam-ai'),
  toPlanPage('unlimited'),
  { ...toPlanPage('hms'), ...(HOME_MONITORING && { away: '/purchase/hms', needs: HOME_MONITORING.needs }) },
]
