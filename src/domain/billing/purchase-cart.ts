import type { Period } from '../../../contract/billing/money.ts'
import type { CartMode } from './plan-cart.ts'

/** What is bought (CART-02): the payload of a purchase is made from it (OPEN-143). */
export interface CardEntry {
  readonly sku: string
  /** The tier, 0 to 3, '' when blank (OPEN-142). */
  readonly level: number | ''
  /** The billing period, '' when blank (OPEN-142). */
  readonly mode: Period | ''
  readonly quantity: number
}
export type CardCart = Readonly<Record<CartMode, CardEntry>>

const BLANK: CardEntry = { sku: '', level: '', mode: '', quantity: 1 }
export const BLANK_CARD_CART: CardCart = { checkout: BLANK, update: BLANK }

/** Takes these fields over in one mode. */
export const setCard = (cart: CardCart, mode: CartMode, change: Partial<CardEntry>): CardCart => ({
  ...cart,
  [mode]: { ...cart[mode], ...change },
})

const raise = (cart: CardCart, mode: CartMode, by: number) =>
  setCard(cart, mode, { quantity: cart[mode].quantity + by })

/** No action here knows a bound (OPEN-78). */
export const incrementCard = (cart: CardCart, mode: CartMode): CardCart => raise(cart, mode, 1)
export const decrementCard = (cart: CardCart, mode: CartMode): CardCart => raise(cart, mode, -1)
export const resetCard = (cart: CardCart, mode: CartMode): CardCart => ({ ...cart, [mode]: BLANK })
