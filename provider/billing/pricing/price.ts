import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Period } from '../../../contract/billing/money.ts'
import type { Sku } from '../../../contract/billing/skus.ts'

/** What is sold: so many licences of a plan, for a period. */
export interface PlanSelection {
  readonly sku: Sku
  readonly period: Period
  readonly quantity: number
}

/** Cents of one licence for a period, as the catalogue has it. */
export function unitPriceFor({ sku, period }: Pick<PlanSelection, 'sku' | 'period'>): number {
  const { monthlyCents, annualCents } = getPlan(sku)
  return period === 'monthly' ? monthlyCents : annualCents
}

/** Cents of all licences for a period, before tax. */
export const priceFor = (selection: PlanSelection): number => unitPriceFor(selection) * selection.quantity

/** Only what covers one camera each is sold in numbers. */
export const mayCount = (sku: Sku, quantity: number): boolean =>
  quantity === 1 || (getPlan(sku).per === 'camera' && quantity > 1)
