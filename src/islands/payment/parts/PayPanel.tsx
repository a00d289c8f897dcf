import RefreshCw from 'lucide-react/icons/refresh-cw'
import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import type { Quote } from '../../../../contract/billing/purchase.ts'
import { clock } from '../../../domain/time/date-formats.ts'
import { inMoney } from '../../../../contract/billing/amounts.ts'
import { methodName } from '../../../domain/copy/payment-methods.ts'
import {
  type Checkout,
  type Declined,
  pay,
  resumeTask,
  retryWith,
  shownQuote,
} from '../../../stores/billing/checkout.ts'
import { loadQuote } from '../../../stores/billing/price-quote.ts'
import { BankLink } from '../../../ui/BankLink.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Problem } from '../../../ui/InlineError.tsx'
import { QuoteLines } from '../../../ui/QuoteLines.tsx'
import type { ActionFailure } from '../../../ui/use-action.ts'

interface Props {
  checkout: Checkout
  method: PaymentMethod | null
  declined: Declined | null
}

/** Exact amount and the pay button; a retry button if the price failed to load. */
export function PayPanel({ checkout, method, declined }: Props) {
  const { price, payment } = checkout
  const quote = shownQuote()
  return (
    <section className="card pay-panel" aria-labelledby="pay-title">
      <h2 id="pay-title">What you pay</h2>
      {quote && <QuoteLines quote={quote} isOld={price.state !== 'ready'} changed={listChangedRows(checkout)} />}
      {price.state === 'failed' && <AskAgain failure={price.failure} />}
      {quote && price.state === 'ready' && <PayButton quote={quote} {...{ checkout, method, declined }} />}
      <State payment={payment} />
    </section>
  )
}

const listChangedRows = ({ price }: Checkout) => (price.state === 'ready' ? price.changed : [])

function AskAgain({ failure }: { failure: ActionFailure }) {
  return (
    <>
      <Problem failure={failure} />
      <Button size="lg" onClick={() => void loadQuote()}>
        Try again
      </Button>
    </>
  )
}

function PayButton({ quote, checkout, method, declined }: Props & { quote: Quote }) {
  const { payment } = checkout
  const isBusy = payment.state === 'paying' || payment.state === 'task' || payment.state === 'done'
  // The outcome of the last attempt is unknown, so the button retries the identical payment, regardless of the chosen
  // method.
  const isOpen = payment.state === 'failed' && !payment.isSafe
  const isSame = !isOpen && method !== null && method.method_id === declined?.methodId
  // A declined wallet is not retried (4224).
  const isHopeless = isSame && declined?.code === '4224'
  const again = () => (isOpen ? void pay() : method && void retryWith(method.method_id))
  const waitsFor = !isOpen && (!method || isHopeless) ? 'Choose another method' : ''
  const first = () => document.querySelector<HTMLInputElement>('.pay-methods input:not(:checked)')?.focus()
  return (
    <>
      <Button
        size="lg"
        kind={isSame && !isHopeless ? 'outline' : 'primary'}
        {...{ isBusy, waitsFor }}
        busyText="Asking the bank"
        onMissing={first}
        onClick={again}
      >
        {isSame && <RefreshCw size={18} aria-hidden="true" />}
        {isSame && method ? `Try ${methodName(method)} again` : `Pay ${inMoney(quote.due, quote.currency)}`}
      </Button>
      <p className="pay-held">
        {isSame && 'Or choose another method. '}
        {!isOpen && `The price is held until ${clock(quote.expires_at)}.`}
      </p>
      <State payment={payment} />
    </>
  )
}

/** Result of the last attempt, unless a payment method already shows it. */
function State({ payment }: Pick<Checkout, 'payment'>) {
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
      {waitText(payment)}
      {payment.actionUrl !== null && <BankLink url={payment.actionUrl} />}
      {payment.isLong && (
        <button type="button" className="text-action" onClick={() => void resumeTask()}>
          Ask again
        </button>
      )}
    </p>
  )
}

function waitText({ actionUrl, isLong }: Extract<Checkout['payment'], { state: 'task' }>): string {
  if (actionUrl !== null) return 'Your bank wants to ask you, on a page of its own. Nothing is charged until then.'
  if (isLong) return 'It takes long. You may leave: it goes on by itself.'
  return 'The bank is still working on it. You may leave this page.'
}
