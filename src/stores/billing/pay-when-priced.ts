import type { Quote } from '../../../contract/billing/purchase.ts'
import { listChangedRowKeys } from '../../domain/copy/price-quote.ts'
import { $checkout, readCheckout, updateCheckout, type Checkout } from './checkout-state.ts'
import { submitPurchase } from './submit-purchase.ts'
import { isSamePrice, getShownQuote } from './price-quote.ts'

const NOT_CHARGED_TEXT = 'You haven’t been charged. Check the price, then try again.'

/**
 * Handles a press of the pay button before the price has loaded. Buys only if the price equals the one that the user
 * saw; otherwise requires another press. A changed choice cancels the press.
 */
export async function payWhenPriced(): Promise<void> {
  const checkoutAtPress = $checkout.get()
  if (!checkoutAtPress) return
  const seenPrice = findSeenQuote(checkoutAtPress)
  updateCheckout({ payment: { state: 'waiting' } })
  const pricedCheckout = await waitForPrice()
  if (!pricedCheckout) return
  updateCheckout({ payment: { state: 'idle' } })
  // Buys nothing without a price, or if an amount is due and there is no payment method. The price area or the button
  // shows what is missing.
  if (
    pricedCheckout.price.state !== 'ready' ||
    (pricedCheckout.price.quote.due > 0 && pricedCheckout.form.methodId === null)
  )
    return
  if (seenPrice && listChangedRowKeys(seenPrice, pricedCheckout.price.quote).length === 0) return submitPurchase()
  const text = seenPrice ? `The price changed. ${NOT_CHARGED_TEXT}` : `The price is ready. ${NOT_CHARGED_TEXT}`
  updateCheckout({ payment: { state: 'refused', why: 'price', text } })
}

function findSeenQuote({ form }: Checkout): Quote | null {
  const stored = readCheckout()
  return getShownQuote() ?? (stored && isSamePrice(stored.form, form) ? stored.quote : null)
}

/** Resolves with the checkout once its price has loaded or failed; null if the press was canceled. */
function waitForPrice(): Promise<Checkout | null> {
  return new Promise((resolve) => {
    const stop = $checkout.subscribe((checkout) => {
      const isWaiting = checkout?.payment.state === 'waiting'
      if (isWaiting && (checkout.price.state === 'none' || checkout.price.state === 'asking')) return
      resolve(isWaiting ? checkout : null)
      // `subscribe` makes its first call synchronously, before `stop` is assigned.
      queueMicrotask(() => stop())
    })
  })
}
