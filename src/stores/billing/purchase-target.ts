import type { createPurchase } from '../../../contract/billing/purchase.ts'
import type { RequestOf } from '../../../contract/wire/call.ts'
import { displayedQuantity } from '../../domain/billing/plan-cart.ts'
import { cardEntry, planEntry, putPlan, putQuantity } from './carts.ts'
import type { Checkout } from './checkout-state.ts'

export const cartMode = ({ own }: Pick<Checkout, 'own'>) => (own ? 'update' : 'checkout')

/**
 * Writes the choices of this page into the carts. All tabs share the carts, so another tab may have put another plan
 * into them.
 */
function writeCarts({ form, own }: Chosen): void {
  const mode = cartMode({ own })
  const { sku, mode: period } = cardEntry(mode)
  if (sku !== form.sku || period !== form.period) putPlan(mode, form.sku, form.period)
  if (cardEntry(mode).quantity !== form.quantity || displayedQuantity(planEntry(mode), form.period) !== form.quantity)
    putQuantity(mode, form.quantity)
}

type Chosen = Pick<Checkout, 'form' | 'own'>
type Target = Pick<RequestOf<typeof createPurchase>, 'sku' | 'level' | 'mode' | 'quantity'>

/** Builds the purchase from the card cart (OPEN-143); the price is never part of it (OPEN-88). */
export function buildTarget(now: Chosen): Target {
  writeCarts(now)
  const { sku, level, mode, quantity } = cardEntry(cartMode(now))
  return {
    sku: sku as Target['sku'],
    level: level === '' || level === 0 ? '' : (level as Target['level']),
    mode: mode === '' ? 'monthly' : mode,
    quantity,
  }
}
