import RefreshCw from 'lucide-react/icons/refresh-cw'
import type { PaymentMethod } from '../../../../contract/billing.ts'
import type { Quote } from '../../../../contract/purchase.ts'
import { formatTime } from '../../../domain/local-time.ts'
import { inMoney } from '../../../domain/money.ts'
import { methodName } from '../../../domain/payment-words.ts'
import { priceRows, taxTitle, taxWords } from '../../../domain/quote-words.ts'
import { type Checkout, type Declined, resumeTask, retryWith, shownQuote } from '../../../stores/commerce/checkout.ts'
import { Button } from '../../../ui/Button.tsx'
import { Money, MoneyRow } from '../../../ui/Money.tsx'

interface Props {
  checkout: Checkout
  method: PaymentMethod | null
  declined: Declined | null
}

/** Exactly what is charged, and the button that does it. */
export function PayPanel({ checkout, method, declined }: Props) {
  const quote = shownQuote()
  if (!quote) return null
  return (
    <section className="card pay-panel" aria-labelledby="pay-title">
      <h2 id="pay-title">What you pay</h2>
      <Lines quote={quote} />
      <div className="pay-due">
        <b>Due today</b>
        <Money cents={quote.due} className="money-total" />
      </div>
      <PayButton quote={quote} {...{ checkout, method, declined }} />
    </section>
  )
}

function Lines({ quote }: { quote: Quote }) {
  const { lines, currency, subtotal, tax, tax_basis_points, balance_used } = quote
  const words = priceRows(lines, currency)
  return (
    <>
      <dl className="pay-lines">
        {lines.map(({ amount }, at) => (
          <MoneyRow key={words[at]?.key} title={words[at]?.title ?? ''} note={words[at]?.words} cents={amount} />
        ))}
      </dl>
      <dl className="pay-lines pay-sums">
        <MoneyRow title="Subtotal" cents={subtotal} />
        <MoneyRow title={taxTitle(tax_basis_points)} note={taxWords(lines)} cents={tax} />
        {balance_used > 0 && <MoneyRow title="Your balance" cents={-balance_used} />}
      </dl>
    </>
  )
}

function PayButton({ quote, checkout, method, declined }: Props & { quote: Quote }) {
  const { payment } = checkout
  const isBusy = payment.state === 'paying' || payment.state === 'task'
  const isSame = method !== null && method.method_id === declined?.methodId
  // A wallet that was refused is not asked again (4224).
  const isHopeless = isSame && declined?.code === '4224'
  const pay = () => method && void retryWith(method.method_id)
  const waitsFor = !method || isHopeless ? 'Choose another method' : ''
  const first = () => document.querySelector<HTMLInputElement>('.pay-methods input:not(:checked)')?.focus()
  return (
    <>
      <Button
        size="lg"
        kind={isSame && !isHopeless ? 'outline' : 'primary'}
        {...{ isBusy, waitsFor }}
        busyText="Asking the bank"
        onMissing={first}
        onClick={pay}
      >
        {isSame && <RefreshCw size={18} aria-hidden="true" />}
        {isSame && method ? `Try ${methodName(method)} again` : `Pay ${inMoney(quote.due)}`}
      </Button>
      <p className="pay-held">
        {isSame && 'Or choose another method. '}The price is held until {formatTime(quote.expires_at, 'HH:mm')}.
      </p>
      <State payment={payment} />
    </>
  )
}

/** What became of the last press, where no method stands for it. */
function State({ payment }: Pick<Checkout, 'payment'>) {
  if (payment.state === 'refused' || payment.state === 'failed')
    return (
      <p className="hint-strip" data-tone="error" role="alert">
        {payment.text}
      </p>
    )
  if (payment.state !== 'task') return null
  return (
    <p className="hint-strip" role="status">
      {payment.isLong
        ? 'It takes long. You may leave: it goes on by itself.'
        : 'The bank is still working on it. You may leave this page.'}
      {payment.isLong && (
        <button type="button" className="text-action" onClick={() => void resumeTask()}>
          Ask again
        </button>
      )}
    </p>
  )
}
