import CircleCheck from 'lucide-react/icons/circle-check'
import { getShownQuote, type Checkout } from '../../../stores/billing/checkout.ts'
import { InlineError } from '../../../ui/InlineError.tsx'
import { PayButton } from './PayButton.tsx'
import { PaymentNote } from './PaymentNote.tsx'
import { QuoteLines } from '../../../ui/QuoteLines.tsx'
import { formatValidity, NextCharge } from './NextCharge.tsx'

/** Price beside the form. The price updates with each change; old price lines stay until new ones arrive. */
export function QuotePanel({ checkout }: { checkout: Checkout }) {
  const { price } = checkout
  return (
    <section className="card quote-panel" aria-labelledby="price-title">
      <header>
        <h2 id="price-title">Today’s price</h2>
        {price.state === 'ready' && (
          <span className="badge badge-success">
            <CircleCheck size={14} aria-hidden="true" />
            Exact price
          </span>
        )}
      </header>
      <PriceLines checkout={checkout} />
      <PaymentNote payment={checkout.payment} />
      <PayButton checkout={checkout} />
      <QuoteValidity checkout={checkout} />
    </section>
  )
}

export function QuoteValidity({ checkout: { price } }: { checkout: Checkout }) {
  if (price.state !== 'ready' || price.quote.due === 0) return null
  return (
    <p className="quote-held">
      {formatValidity(price.quote)}
      <br />
      You’ll pay exactly this amount.
    </p>
  )
}

/** Lines of the price, or the text that replaces them while there is no price. */
export function PriceLines({ checkout }: { checkout: Checkout }) {
  const { price, payment } = checkout
  const quote = getShownQuote()
  if (payment.state === 'elsewhere') return null
  if (price.state === 'none') return <p className="quote-none">Choose monthly or annual billing to see the price.</p>
  if (price.state === 'same')
    return <p className="quote-none">This is your current plan. Change your selection to see a new price.</p>
  if (price.state === 'failed') return <InlineError failure={price.failure} />
  if (!quote) return <PriceLinesSkeleton />
  return (
    <QuoteLines
      quote={quote}
      changedKeys={price.state === 'ready' ? price.changed : []}
      isOutdated={price.state === 'asking'}
    >
      <NextCharge quote={quote} />
    </QuoteLines>
  )
}

export function PriceLinesSkeleton() {
  return (
    <div className="quote-skeleton" role="img" aria-label="Calculating the price">
      <span className="skeleton" />
      <span className="skeleton" />
      <span className="skeleton" />
    </div>
  )
}
