import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Period } from '../../../contract/billing/money.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import {
  BLANK_CARD_CART,
  decrementCard,
  incrementCard,
  resetCard,
  setCard,
  type CardCart,
  type CardEntry,
} from '../../domain/billing/purchase-cart.ts'
import {
  add,
  BLANK_PLAN_CART,
  decrementUpdate,
  setDefaultQuantity,
  incrementUpdate,
  toPlanItem,
  displayedQuantity,
  reduce,
  resetPlans,
  setPlan,
  type CartMode,
  type PlanCart,
  type PlanEntry,
} from '../../domain/billing/plan-cart.ts'
import { persistentJson } from '../storage/persistent-atoms.ts'
import { BILLING_KEYS } from '../storage/billing-keys.ts'

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const hasTextFields = (value: Record<string, unknown>, names: readonly string[]) =>
  names.every((name) => typeof value[name] === 'string')
const isPlanLevel = (value: unknown) => value === '' || typeof value === 'number'
const hasBothModes = (value: unknown, accept: (entry: unknown) => boolean) =>
  isObject(value) && accept(value['checkout']) && accept(value['update'])

const isPlanEntry = (value: unknown) =>
  isObject(value) &&
  hasTextFields(value, ['title', 'price', 'product_id', 'variant_id', 'note', 'sku']) &&
  isPlanLevel(value['level']) &&
  isObject(value['plan']) &&
  Number.isInteger(value['plan']['an_quantity']) &&
  Number.isInteger(value['plan']['mo_quantity'])
const isCardEntry = (value: unknown) =>
  isObject(value) &&
  typeof value['sku'] === 'string' &&
  isPlanLevel(value['level']) &&
  ['', 'monthly', 'annual'].includes(String(value['mode'])) &&
  Number.isInteger(value['quantity'])

/** Cart that the plan page shows and edits; kept across visits. */
export const $planCart = persistentJson<PlanCart>(BILLING_KEYS.planCart, BLANK_PLAN_CART, (value): value is PlanCart =>
  hasBothModes(value, isPlanEntry),
)
/** Cart from which the page builds the purchase request (OPEN-143); kept across visits. */
export const $cardCart = persistentJson<CardCart>(BILLING_KEYS.cardCart, BLANK_CARD_CART, (value): value is CardCart =>
  hasBothModes(value, isCardEntry),
)

const getCardEntry = (mode: CartMode): CardEntry => $cardCart.get()[mode]

/** Sets plan and period in both carts. */
export function setPlanInCarts(mode: CartMode, sku: Sku, period: Period | ''): void {
  const item = toPlanItem(sku, period)
  $planCart.set(setPlan($planCart.get(), mode, item))
  const quantity = displayedQuantity($planCart.get()[mode], period)
  $cardCart.set(setCard($cardCart.get(), mode, { sku, level: item.level, mode: period, quantity }))
}

/**
 * Sets the number of licenses in both carts. A change by one uses the increment and decrement functions of the carts.
 */
export function setQuantityInCarts(mode: CartMode, quantity: number): void {
  const { sku, mode: period, quantity: previousQuantity } = getCardEntry(mode)
  const step = quantity - previousQuantity
  const planCart = $planCart.get()
  $planCart.set(
    Math.abs(step) === 1
      ? changeQuantityByOne(planCart, mode, step, sku, period)
      : setDefaultQuantity(planCart, mode, quantity),
  )
  const cardCart = $cardCart.get()
  if (step === 1) $cardCart.set(incrementCard(cardCart, mode))
  else if (step === -1) $cardCart.set(decrementCard(cardCart, mode))
  else $cardCart.set(setCard(cardCart, mode, { quantity }))
}

/**
 * Adds or removes one license. The update page never uses `add` and `reduce`, because they would let the quantities of
 * the two periods drift apart (OPEN-141).
 */
function changeQuantityByOne(
  plans: PlanCart,
  mode: CartMode,
  step: number,
  sku: string,
  period: Period | '',
): PlanCart {
  if (mode === 'checkout') return step > 0 ? add(plans, mode) : reduce(plans, mode)
  const isBase = getPlan(sku as Sku).isBase ?? period === ''
  const changedPeriod = period === '' ? 'monthly' : period
  return step > 0 ? incrementUpdate(plans, changedPeriod, isBase) : decrementUpdate(plans, changedPeriod, isBase)
}

/** Resets the plan cart, and the entry of `mode` in the card cart, after a purchase. */
export function clearCarts(mode: CartMode): void {
  $planCart.set(resetPlans())
  $cardCart.set(resetCard($cardCart.get(), mode))
}

export const getPlanEntry = (mode: CartMode): PlanEntry => $planCart.get()[mode]
export const cardEntry = getCardEntry
