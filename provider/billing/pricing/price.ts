import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Period } from '../../../contract/billing/money.ts'
import type { Sku } from '../../../contract/billing/skus.ts'

export interface PlanSelection {
  readonly sku: Sku
  readonly period: Period
  readonly quantity: number
}

/** Returns the catalog price of one license for a period, cents. */
export function computeUnitPrice({ sku, period }: Pick<PlanSelection, 'sku' | 'period'>): number {
  const { monthlyCents, annualCents } = getPlan(sku)
  return period === 'monthly' ? monthlyCents : annualCents
}

/** Returns the price of all licenses for a period, cents before tax. */
export const computePrice = (selection: PlanSelection): number => computeUnitPrice(selection) * selection.quantity

/** Returns true if this number of licenses may be sold: more than one only for plans with one license per camera. */
export const isQuantityAllowed = (sku: Sku, quantity: number): boolean =>
  quantity === 1 || (getPlan(sku).per === 'camera' && quantity > 1)
