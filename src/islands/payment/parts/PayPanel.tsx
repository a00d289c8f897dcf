import RefreshCw from 'lucide-react/icons/refresh-cw'
import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import type { Quote } from '../../../../contract/billing/purchase.ts'
import { formatClock } from '../../../domain/time/date-formats.ts'
import { formatMoney } from '../../../../contract/billing/amounts.ts'
import { methodName } from '../../../domain/copy/payment-methods.ts'
import {
  type Checkout,
  type Declined,
  submitPurchase,
  resumePurchaseTask,
  retryWithMethod,
  getShownQuote,
} from '../../../stores/billing/checkout.ts'
import { loadQuote } from '../../../stores/billing/price-quote.ts'
import { BankLink } from '../../../ui/BankLink.tsx'
import { Button } from '../../../ui/Button.tsx'
import { InlineError } from '../../../ui/InlineError.tsx'
import { QuoteLines } from '../../../ui/QuoteLines.tsx'
import type { ActionFailure } from '../../../ui/use-action.ts'

interface PayPanelProps {
  checkout: Checkout
  method: PaymentMethod | null
  declined: Declined | null
}

/** Exact amount and the pay button; a retry button if the price failed to load. */
export function PayPanel({ checkout, method, declined }: PayPanelProps) {
  const { price, payment } = checkout
  const quote = getShownQuote()
  return (
    <section className="card pay-panel" aria-labelledby="pay-title">
      <h2 id="pay-title">Summary</h2>
      {quote && (
        <QuoteLines quote={quote} isOutdated={price.state !== 'ready'} changedKeys={listChangedRows(checkout)} />
      )}
      {price.state === 'failed' && <PriceError failure={price.failure} />}
      {quote && price.state === 'ready' && (
        <PayButton quote={quote} checkout={checkout} method={method} declined={declined} />
      )}
      <PaymentStatus payment={payment} />
    </section>
  )
}

const listChangedRows = ({ price }: Checkout) => (price.state === 'ready' ? price.changed : [])

function PriceError({ failure }: { failure: ActionFailure }) {
  return (
    <>
      <InlineError failure={failure} />
      <Button size="lg" onClick={() => void loadQuote()}>
        Try again
      </Button>
    </>
  )
}

function PayButton({ quote, checkout, method, declined }: PayPanelProps & { quote: Quote }) {
  const { payment } = checkout
  const isBusy = payment.state === 'paying' || payment.state === 'task' || payment.state === 'done'
  // If the outcome of the last attempt is unknown, the button retries the identical payment, regardless of the chosen
  // method.
  const isOutcomeUnknown = payment.state === 'failed' && !payment.isSafe
  const isDeclinedMethod = !isOutcomeUnknown && method !== null && method.method_id === declined?.methodId
  // Code 4224 asks for a different payment method, so a declined wallet is not retried.
  const isFinalDecline = isDeclinedMethod && declined?.code === '4224'
  const payAgain = () => (isOutcomeUnknown ? void submitPurchase() : method && void retryWithMethod(method.method_id))
  const waitsFor = !isOutcomeUnknown && (!method || isFinalDecline) ? 'Choose another payment method' : ''
  const focusFirstMethod = () => document.querySelector<HTMLInputElement>('.pay-methods input:not(:checked)')?.focus()
  return (
    <>
      <Button
        size="lg"
        kind={isDeclinedMethod && !isFinalDecline ? 'outline' : 'primary'}
        isBusy={isBusy}
        missingText={waitsFor}
        busyText="Paying…"
        onMissing={focusFirstMethod}
        onClick={payAgain}
      >
        {isDeclinedMethod && <RefreshCw size={18} aria-hidden="true" />}
        {isDeclinedMethod && method
          ? `Try ${methodName(method)} again`
          : `Pay ${formatMoney(quote.due, quote.currency)}`}
      </Button>
      <p className="pay-held">
        {isDeclinedMethod && 'Or choose another payment method. '}
        {!isOutcomeUnknown && `This price is valid until ${formatClock(quote.expires_at)}.`}
      </p>
      <PaymentStatus payment={payment} />
    </>
  )
}

/** Failure or progress of the last payment attempt. `DeclineMessage` shows a decline instead. */
function PaymentStatus({ payment }: Pick<Checkout, 'payment'>) {
  if (payment.state === 'refused' || payment.state === 'failed')
    return (
      <p className="hint-strip" data-tone="error" role="alert">
        <span>
          {payment.text}
          {payment.state === 'refused' && (payment.why === 'exists' || payment.why === 'unclear') && (
            <>
              {' '}
              <a className="link" href="/account/services">
                See your services
              </a>
            </>
          )}
        </span>
      </p>
    )
  if (payment.state !== 'task') return null
  return (
    <p className="hint-strip" role="status">
      {paymentWaitText(payment)}
      {payment.actionUrl !== null && <BankLink url={payment.actionUrl} />}
      {payment.isLong && (
        <button type="button" className="text-action" onClick={() => void resumePurchaseTask()}>
          Check again
        </button>
      )}
    </p>
  )
}

function paymentWaitText({ actionUrl, isLong }: Extract<Checkout['payment'], { state: 'task' }>): string {
  if (actionUrl !== null) return 'Your bank needs you to confirm this payment. You won’t be charged until you do.'
  if (isLong) return 'This is taking longer than usual. You can leave this page.'
  return 'Your bank is processing the payment. You can leave this page.'
}
