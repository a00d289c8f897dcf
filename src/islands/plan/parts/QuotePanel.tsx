import CircleCheck from 'lucide-react/icons/circle-check'
import { shownQuote, type Checkout } from '../../../stores/billing/checkout.ts'
import { Problem } from '../../../ui/InlineError.tsx'
import { PayButton } from './PayButton.tsx'
import { PaymentNote } from './PaymentNote.tsx'
import { QuoteLines } from '../../../ui/QuoteLines.tsx'
import { validityText, NextCharge } from './NextCharge.tsx'

/** Price beside the form. Updates with each change; old lines stay until the new ones arrive. */
export function QuotePanel({ checkout }: { checkout: Checkout }) {
  const { price } = checkout
  return (
    <section className="card quote-panel" aria-labelledby="price-title">
      <header>
        <h2 id="price-title">Today’s price</h2>
        {price.state === 'ready' && (
          <span className="badge badge-success">
            <CircleCheck size={14} aria-hidden="true" />
            Live quote
          </span>
        )}
      </header>
      <PriceBody checkout={checkout} />
      <PaymentNote payment={checkout.payment} />
      <PayButton checkout={checkout} />
      <HeldUntil checkout={checkout} />
    </section>
  )
}

export function HeldUntil({ checkout: { price } }: { checkout: Checkout }) {
  if (price.state !== 'ready') return null
  return (
    <p className="quote-held">
      {validityText(price.quote)}
      <br />
      This is exactly what we charge.
    </p>
  )
}

/** Lines of the price, or the text that replaces them while there is no price. */
export function PriceBody({ checkout }: { checkout: Checkout }) {
  const { price, payment } = checkout
  const quote = shownQuote()
  if (payment.state === 'elsewhere') return null
  if (price.state === 'none')
    return <p className="quote-none">Choose monthly or annual to see the price. Nothing is chosen for you.</p>
  if (price.state === 'same')
    return <p className="quote-none">This is what you have. Choose something else to see what it costs.</p>
  if (price.state === 'failed') return <Problem failure={price.failure} />
  if (!quote) return <LinesSkeleton />
  return (
    <QuoteLines quote={quote} changed={price.state === 'ready' ? price.changed : []} isOld={price.state === 'asking'}>
      <NextCharge quote={quote} />
    </QuoteLines>
  )
}

export function LinesSkeleton() {
  return (
    <div className="quote-skeleton" role="img" aria-label="Working out the price">
      <span className="skeleton" />
      <span className="skeleton" />
      <span className="skeleton" />
    </div>
  )
}
