import { HOME_MONITORING, SAMPLE_NOTE } from '../../contract/brand.ts'
import { getPlan } from '../../contract/billing/plan-catalog.ts'
import type { Sku } from '../../contract/billing/skus.ts'
import { formatMoney } from '../../contract/billing/amounts.ts'
import { formatPlanSubtitle } from '../domain/copy/plan-page.ts'

export type { Sku }

/** Plan texts of the price cards on the start page. Prices and days come from the catalog. */
const PLAN_TEXTS: Record<Sku, { readonly sentence: string; readonly unit: string }> = {
  free: { sentence: 'Live view of every camera.', unit: '' },
  'cam-ai': { sentence: 'Pay for each camera you choose.', unit: 'each camera' },
  unlimited: { sentence: 'Every camera at one price.', unit: 'all cameras' },
  pro: { sentence: 'Every camera, and the longest memory.', unit: 'all cameras' },
  hms: { sentence: HOME_MONITORING?.does ?? SAMPLE_NOTE, unit: 'whole home' },
}

/** Returns the texts and prices of a plan's price card. */
export function getPriceCard(sku: Sku) {
  const { monthlyCents, annualCents, name, keepsDays } = getPlan(sku)
  return {
    ...PLAN_TEXTS[sku],
    name,
    keepsDays,
    monthly: formatMoney(monthlyCents),
    annual: formatMoney(annualCents),
    saving: formatMoney(monthlyCents * 12 - annualCents),
  }
}

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
