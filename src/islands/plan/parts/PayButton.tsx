import type { Quote } from '../../../../contract/billing/purchase.ts'
import { TRIAL_DAYS } from '../../../../contract/billing/money.ts'
import { dayWords } from '../../../domain/time/date-formats.ts'
import { inMoney } from '../../../../contract/billing/amounts.ts'
import { pay, pressEarly, shownQuote, type Checkout } from '../../../stores/billing/checkout.ts'
import { loadQuote } from '../../../stores/billing/price-quote.ts'
import { Button } from '../../../ui/Button.tsx'
import { goTo, findMissing } from './missing-fields.ts'

interface PayButtonProps {
  checkout: Checkout
  /** True in the phone bar, which shows the amount beside the button. */
  isShort?: boolean
}

/**
 * Pay button, labeled with the exact amount. While a field is missing, the label names it and a press leads to it.
 * While the price loads, the label says so, and a press pays once the price has arrived.
 */
export function PayButton({ checkout, isShort = false }: PayButtonProps) {
  const { price, payment, form } = checkout
  if (payment.state === 'elsewhere') return null
  if (price.state === 'failed')
    return (
      <Button size="lg" className="pay-button" onClick={() => void loadQuote()}>
        Try again
      </Button>
    )
  const missing = findMissing(checkout, form.methodId !== null)
  const quote = shownQuote()
  const isMissing = missing.text !== ''
  const isPriced = price.state === 'ready'
  const isPaying = payment.state === 'paying' || payment.state === 'task'
  const isBusy = isPaying || (!isPriced && !isMissing)
  const waitsFor = isMissing ? missing.text : isPriced ? '' : 'Waiting for the price'
  return (
    <Button
      size="lg"
      className="pay-button"
      isBusy={isBusy}
      busyText={isShort ? 'Paying' : 'Paying, one moment'}
      waitsFor={isShort ? shortenLabel(waitsFor) : waitsFor}
      aria-label={isShort && quote && waitsFor === '' && !isBusy ? buttonLabel(quote, false) : undefined}
      onMissing={() => (isMissing ? goTo(missing.at) : payment.state !== 'waiting' && void pressEarly())}
      onClick={() => void pay()}
    >
      {quote && buttonLabel(quote, isShort)}
    </Button>
  )
}

const shortenLabel = (words: string) =>
  words.replace('Choose monthly or annual', 'Choose').replace(/^Waiting .*/, 'Waiting')

function buttonLabel({ due, currency, is_trial, is_later, starts_at, as_of }: Quote, isShort: boolean): string {
  if (due > 0) return isShort ? 'Pay' : `Pay ${inMoney(due, currency)}`
  if (is_trial) return isShort ? 'Start' : `Start ${TRIAL_DAYS} free days`
  if (is_later) return isShort ? 'Change' : `Change on ${dayWords(starts_at, as_of)}`
  return isShort ? 'Confirm' : `Confirm, ${inMoney(0, currency)} today`
}
