import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Period } from '../../../contract/billing/money.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { formatDecimals } from '../../../contract/billing/amounts.ts'

/** Purchase of a new plan, or change of the current one. */
export type CartMode = 'checkout' | 'update'

/** Plan that the plan page shows and edits (CART-09). */
export interface PlanEntry {
  readonly title: string
  /** Display only: the provider computes the charge (OPEN-88). */
  readonly price: string
  readonly product_id: string
  readonly variant_id: string
  readonly note: string
  readonly sku: string
  /** Tier 0 to 3; '' for a blank entry or a plan without a tier. */
  readonly level: number | ''
  /** Number of licenses for annual billing and for monthly billing. The billing period decides which one counts. */
  readonly plan: { readonly an_quantity: number; readonly mo_quantity: number }
}
export type PlanItem = Omit<PlanEntry, 'plan'>
export type PlanCart = Readonly<Record<CartMode, PlanEntry>>

const BLANK_ITEM: PlanItem = {
  title: '',
  price: '',
  product_id: '',
  variant_id: '',
  note: '',
  sku: '',
  level: '',
}
const BLANK_ENTRY: PlanEntry = { ...BLANK_ITEM, plan: { an_quantity: 1, mo_quantity: 1 } }
export const BLANK_PLAN_CART: PlanCart = { checkout: BLANK_ENTRY, update: BLANK_ENTRY }

function changeQuantity(cart: PlanCart, mode: CartMode, change: number, periods: readonly Period[]): PlanCart {
  const { an_quantity, mo_quantity } = cart[mode].plan
  const plan = {
    an_quantity: an_quantity + (periods.includes('annual') ? change : 0),
    mo_quantity: mo_quantity + (periods.includes('monthly') ? change : 0),
  }
  return { ...cart, [mode]: { ...cart[mode], plan } }
}

const BOTH_PERIODS: readonly Period[] = ['monthly', 'annual']
/**
 * Returns the periods whose quantity a change affects: both periods for the base plan, and only the displayed period
 * for all other plans (OPEN-79).
 */
const affectedPeriods = (period: Period, isBasePlan: boolean) => (isBasePlan ? BOTH_PERIODS : [period])

/** Adds one license to the quantity of each period, without an upper bound (OPEN-78). */
export const add = (cart: PlanCart, mode: CartMode): PlanCart => changeQuantity(cart, mode, 1, BOTH_PERIODS)
export const reduce = (cart: PlanCart, mode: CartMode): PlanCart => changeQuantity(cart, mode, -1, BOTH_PERIODS)

export const incrementUpdate = (cart: PlanCart, period: Period, isBasePlan: boolean): PlanCart =>
  changeQuantity(cart, 'update', 1, affectedPeriods(period, isBasePlan))
/** Removes one license for the same periods as `incrementUpdate` (OPEN-141). */
export const decrementUpdate = (cart: PlanCart, period: Period, isBasePlan: boolean): PlanCart =>
  changeQuantity(cart, 'update', -1, affectedPeriods(period, isBasePlan))

/** Returns a cart without a plan in either mode, with quantities of 1. */
export const resetPlans = (): PlanCart => BLANK_PLAN_CART

/** Replaces the plan of one mode and keeps the quantities. */
export const setPlan = (cart: PlanCart, mode: CartMode, item: PlanItem): PlanCart => ({
  ...cart,
  [mode]: { ...item, plan: cart[mode].plan },
})

/** Sets the quantity of both periods. */
export const setDefaultQuantity = (cart: PlanCart, mode: CartMode, quantity: number): PlanCart => ({
  ...cart,
  [mode]: { ...cart[mode], plan: { an_quantity: quantity, mo_quantity: quantity } },
})

/**
 * Returns the quantity to display for a billing period ('' counts as monthly). A stored quantity below 1 is displayed
 * as 1 (OPEN-78).
 */
export function displayedQuantity({ plan }: PlanEntry, period: Period | ''): number {
  return Math.max(1, period === 'annual' ? plan.an_quantity : plan.mo_quantity)
}

export function toPlanItem(sku: Sku, period: Period | ''): PlanItem {
  const { name, tier, monthlyCents, annualCents } = getPlan(sku)
  return {
    title: name,
    price: formatDecimals(period === 'annual' ? annualCents : monthlyCents),
    product_id: sku,
    variant_id: period === '' ? '' : `${sku}-${period}`,
    note: '',
    sku,
    level: tier ?? '',
  }
}
