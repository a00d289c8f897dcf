import type { Quote } from '../../../contract/billing/purchase.ts'
import { changedRows } from '../../domain/copy/price-quote.ts'
import { $checkout, readCheckout, update, type Checkout } from './checkout-state.ts'
import { pay } from './submit-purchase.ts'
import { isSamePrice, shownQuote } from './price-quote.ts'

const NOT_YET = 'Nothing was charged. Look at it and press again.'

/**
 * A press before the price is there. It buys as soon as it is, where it is the one that was looked at already; what was not
 * seen is not bought: then it says so. A change of what is chosen takes the press back.
 */
export async function payWhenPriced(): Promise<void> {
  const pressed = $checkout.get()
  if (!pressed) return
  const seen = seenQuote(pressed)
  update({ payment: { state: 'waiting' } })
  const now = await priced()
  if (!now) return
  update({ payment: { state: 'idle' } })
  // Whatever else has become of the price stands in its place, and the button says what is missing.
  if (now.price.state !== 'ready' || (now.price.quote.due > 0 && now.form.methodId === null)) return
  if (seen && changedRows(seen, now.price.quote).length === 0) return pay()
  const text = seen ? `The price has changed. ${NOT_YET}` : `This is the price. ${NOT_YET}`
  update({ payment: { state: 'refused', why: 'price', text } })
}

/** What was looked at last for the same choices, before the page was left for a while too. */
function seenQuote({ form }: Checkout): Quote | null {
  const stored = readCheckout()
  return shownQuote() ?? (stored && isSamePrice(stored.form, form) ? stored.quote : null)
}

/** The checkout once it is known what becomes of its price; null where nobody waits for that any more. */
function priced(): Promise<Checkout | null> {
  return new Promise((resolve) => {
    const stop = $checkout.subscribe((now) => {
      const waits = now?.payment.state === 'waiting'
      if (waits && (now.price.state === 'none' || now.price.state === 'asking')) return
      resolve(waits ? now : null)
      // Told of what is there already, it has not been named yet.
      queueMicrotask(() => stop())
    })
  })
}
