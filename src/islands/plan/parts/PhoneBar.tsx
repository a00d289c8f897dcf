import ChevronUp from 'lucide-react/icons/chevron-up'
import { useState } from 'react'
import { inMoney } from '../../../domain/money.ts'
import { creditWords } from '../../../domain/quote-words.ts'
import { shownQuote, type Checkout } from '../../../stores/commerce/checkout.ts'
import { Sheet } from '../../../ui/Sheet.tsx'
import { PayButton } from './PayButton.tsx'
import { PaymentNote } from './PaymentNote.tsx'
import { HeldUntil, PriceBody } from './QuotePanel.tsx'

/** On a phone: what is due and the button, always at hand. It pulls up to all lines. */
export function PhoneBar({ checkout }: { checkout: Checkout }) {
  const [isOpen, setIsOpen] = useState(false)
  const quote = shownQuote()
  const isOld = checkout.price.state === 'asking'
  const note = checkout.payment.state
  return (
    <div className="phone-bar">
      <span className="phone-bar-grip" aria-hidden="true" />
      {(note === 'task' || note === 'refused' || note === 'failed') && <PaymentNote payment={checkout.payment} />}
      <div className="phone-bar-row">
        {quote ? (
          <button type="button" data-old={isOld || undefined} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
            <small>
              Due today <ChevronUp size={14} aria-hidden="true" />
            </small>
            <b>{inMoney(quote.due, quote.currency)}</b>
            <small>{creditWords(quote)}</small>
          </button>
        ) : (
          <p>
            {checkout.price.state === 'same'
              ? 'This is what you have.'
              : 'The price shows once you choose how you pay.'}
          </p>
        )}
        <PayButton checkout={checkout} isShort />
      </div>
      {isOpen && (
        <Sheet title="Today’s price" onClose={() => setIsOpen(false)}>
          <PriceBody checkout={checkout} />
          <HeldUntil checkout={checkout} />
        </Sheet>
      )}
    </div>
  )
}
