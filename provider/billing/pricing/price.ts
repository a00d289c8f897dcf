import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Period } from '../../../contract/billing/money.ts'
import type { Sku } from '../../../contract/billing/skus.ts'

export interface PlanSelection {
  readonly sku: Sku
  readonly period: Period
  readonly quantity: number
}

/** Catalog price of one license for a period, cents. */
export function unitPriceFor({ sku, period }: Pick<PlanSelection, 'sku' | 'period'>): number {
  const { monthlyCents, annualCents } = getPlan(sku)
  return period === 'monthly' ? monthlyCents : annualCents
}

/** Price of all licenses for a period, cents before tax. */
export const priceFor = (selection: PlanSelection): number => unitPriceFor(selection) * selection.quantity

/**
 * Returns true if this number of licenses may be sold. More than one is sold only for plans that cover one camera per
 * license.
 */
export const mayCount = (sku: Sku, quantity: number): boolean =>
  quantity === 1 || (getPlan(sku).per === 'camera' && quantity > 1)
