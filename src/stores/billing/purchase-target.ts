import type { createPurchase } from '../../../contract/billing/purchase.ts'
import type { RequestOf } from '../../../contract/wire/call.ts'
import { displayedQuantity } from '../../domain/billing/plan-cart.ts'
import { cardEntry, getPlanEntry, setPlanInCarts, setQuantityInCarts } from './carts.ts'
import type { Checkout } from './checkout-state.ts'

export const getCartMode = ({ own }: Pick<Checkout, 'own'>) => (own ? 'update' : 'checkout')

/**
 * Writes the choices of this page into the carts. All tabs share the carts, so another tab may have stored another plan
 * there.
 */
function writeCarts({ form, own }: CheckoutChoices): void {
  const mode = getCartMode({ own })
  const { sku, mode: period } = cardEntry(mode)
  if (sku !== form.sku || period !== form.period) setPlanInCarts(mode, form.sku, form.period)
  if (
    cardEntry(mode).quantity !== form.quantity ||
    displayedQuantity(getPlanEntry(mode), form.period) !== form.quantity
  )
    setQuantityInCarts(mode, form.quantity)
}

type CheckoutChoices = Pick<Checkout, 'form' | 'own'>
type PurchaseTarget = Pick<RequestOf<typeof createPurchase>, 'sku' | 'level' | 'mode' | 'quantity'>

/**
 * Writes the choices into the carts, and returns the purchase fields of a request from the card cart (OPEN-143). These
 * fields never include the price (OPEN-88).
 */
export function buildPurchaseTarget(choices: CheckoutChoices): PurchaseTarget {
  writeCarts(choices)
  const { sku, level, mode, quantity } = cardEntry(getCartMode(choices))
  return {
    sku: sku as PurchaseTarget['sku'],
    level: level === '' || level === 0 ? '' : (level as PurchaseTarget['level']),
    mode: mode === '' ? 'monthly' : mode,
    quantity,
  }
}
