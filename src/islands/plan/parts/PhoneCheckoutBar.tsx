import ChevronUp from 'lucide-react/icons/chevron-up'
import { useState } from 'react'
import { formatMoney } from '../../../../contract/billing/amounts.ts'
import { creditText } from '../../../domain/copy/price-quote.ts'
import { getShownQuote, type Checkout } from '../../../stores/billing/checkout.ts'
import { Sheet } from '../../../ui/Sheet.tsx'
import { PayButton } from './PayButton.tsx'
import { PaymentNote } from './PaymentNote.tsx'
import { QuoteValidity, PriceLines } from './QuotePanel.tsx'

/** Texts that replace the amount due while there is no price. */
const PRICE_STATE_TEXTS: Readonly<Record<Checkout['price']['state'], string>> = {
  none: 'Choose a billing period to see the price.',
  same: 'This is your current plan.',
  asking: 'Calculating the price…',
  ready: '',
  failed: 'We couldn’t calculate the price.',
}

/**
 * Bar at the bottom of phone screens with the amount due and the pay button. A press on the amount opens all price
 * lines.
 */
export function PhoneCheckoutBar({ checkout }: { checkout: Checkout }) {
  const [isOpen, setIsOpen] = useState(false)
  const quote = getShownQuote()
  const isOutdated = checkout.price.state === 'asking'
  return (
    <div className="phone-bar">
      <span className="phone-bar-grip" aria-hidden="true" />
      <PaymentNote payment={checkout.payment} />
      <div className="phone-bar-row">
        {quote && checkout.price.state !== 'failed' ? (
          <button
            type="button"
            data-old={isOutdated || undefined}
            aria-haspopup="dialog"
            onClick={() => setIsOpen(true)}
          >
            <small>
              Due today <ChevronUp size={14} aria-hidden="true" />
            </small>
            <b>{formatMoney(quote.due, quote.currency)}</b>
            <small>{creditText(quote)}</small>
          </button>
        ) : (
          <p>{checkout.payment.state !== 'elsewhere' && PRICE_STATE_TEXTS[checkout.price.state]}</p>
        )}
        <PayButton checkout={checkout} isShort />
      </div>
      {isOpen && (
        <Sheet title="Today’s price" onClose={() => setIsOpen(false)}>
          <PriceLines checkout={checkout} />
          <QuoteValidity checkout={checkout} />
        </Sheet>
      )}
    </div>
  )
}

/** Empty HTML, so that hydration does not replace the texts inserted by src/early/requests/price.ts. */
const EMPTY_HTML = { __html: '' }

/**
 * Bars until the checkout opens: a skeleton, and a hidden bar that the document fills with its early price. The hidden
 * bar has the elements of `PhoneCheckoutBar`, but a press on them only leads to the form (PlanPage.tsx).
 */
export function WaitingPhoneBar() {
  return (
    <>
      <div className="phone-bar phone-bar-waiting" aria-hidden="true" suppressHydrationWarning>
        <span className="phone-bar-grip" />
        <span className="skeleton" />
      </div>
      <div className="phone-bar" data-early="" hidden suppressHydrationWarning>
        <span className="phone-bar-grip" aria-hidden="true" />
        <div className="phone-bar-row">
          <button type="button" aria-haspopup="dialog" suppressHydrationWarning>
            <small>
              Due today <ChevronUp size={14} aria-hidden="true" />
            </small>
            <b dangerouslySetInnerHTML={EMPTY_HTML} suppressHydrationWarning />
            <small dangerouslySetInnerHTML={EMPTY_HTML} suppressHydrationWarning />
          </button>
          <button
            type="button"
            className="btn btn-primary btn-lg pay-button"
            aria-disabled="true"
            hidden
            dangerouslySetInnerHTML={EMPTY_HTML}
            suppressHydrationWarning
          />
        </div>
      </div>
    </>
  )
}
