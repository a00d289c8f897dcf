import type { Period } from '../../../contract/billing/money.ts'
import type { CartMode } from './plan-cart.ts'

/** Purchase selection (CART-02), from which the portal builds the payload of a purchase (OPEN-143). */
export interface CardEntry {
  readonly sku: string
  /** Tier 0 to 3; '' for a blank entry or a plan without a tier (OPEN-142). */
  readonly level: number | ''
  /** Billing period; '' if blank (OPEN-142). */
  readonly mode: Period | ''
  readonly quantity: number
}
export type CardCart = Readonly<Record<CartMode, CardEntry>>

const BLANK_CARD_ENTRY: CardEntry = { sku: '', level: '', mode: '', quantity: 1 }
export const BLANK_CARD_CART: CardCart = { checkout: BLANK_CARD_ENTRY, update: BLANK_CARD_ENTRY }

export const setCard = (cart: CardCart, mode: CartMode, change: Partial<CardEntry>): CardCart => ({
  ...cart,
  [mode]: { ...cart[mode], ...change },
})

const changeQuantity = (cart: CardCart, mode: CartMode, change: number) =>
  setCard(cart, mode, { quantity: cart[mode].quantity + change })

/** Increases the quantity by one, without an upper bound (OPEN-78). */
export const incrementCard = (cart: CardCart, mode: CartMode): CardCart => changeQuantity(cart, mode, 1)
export const decrementCard = (cart: CardCart, mode: CartMode): CardCart => changeQuantity(cart, mode, -1)
export const resetCard = (cart: CardCart, mode: CartMode): CardCart => ({ ...cart, [mode]: BLANK_CARD_ENTRY })
