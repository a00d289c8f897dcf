import type { Quote } from '../../../contract/billing/purchase.ts'
import { changedRows } from '../../domain/copy/price-quote.ts'
import { $checkout, readCheckout, update, type Checkout } from './checkout-state.ts'
import { pay } from './submit-purchase.ts'
import { isSamePrice, shownQuote } from './price-quote.ts'

const NOT_YET = 'Nothing was charged. Look at it and press again.'

/**
 * Handles a press of the pay button before the price has loaded. Waits for the price and buys only if it equals the
 * price that the user saw; otherwise requires another press. A changed choice cancels the press.
 */
export async function payWhenPriced(): Promise<void> {
  const pressed = $checkout.get()
  if (!pressed) return
  const seen = seenQuote(pressed)
  update({ payment: { state: 'waiting' } })
  const now = await priced()
  if (!now) return
  update({ payment: { state: 'idle' } })
  // Without a price or a payment method nothing is bought: the price area shows the problem, and the button shows what
  // is missing.
  if (now.price.state !== 'ready' || (now.price.quote.due > 0 && now.form.methodId === null)) return
  if (seen && changedRows(seen, now.price.quote).length === 0) return pay()
  const text = seen ? `The price has changed. ${NOT_YET}` : `This is the price. ${NOT_YET}`
  update({ payment: { state: 'refused', why: 'price', text } })
}

/** Returns the last quote that the user saw for the same choices, even if it was before the user left the page. */
function seenQuote({ form }: Checkout): Quote | null {
  const stored = readCheckout()
  return shownQuote() ?? (stored && isSamePrice(stored.form, form) ? stored.quote : null)
}

/** Resolves with the checkout once its price has loaded or failed; null if the press was canceled. */
function priced(): Promise<Checkout | null> {
  return new Promise((resolve) => {
    const stop = $checkout.subscribe((now) => {
      const waits = now?.payment.state === 'waiting'
      if (waits && (now.price.state === 'none' || now.price.state === 'asking')) return
      resolve(waits ? now : null)
      // `subscribe` makes its first call synchronously, before `stop` is assigned.
      queueMicrotask(() => stop())
    })
  })
}
