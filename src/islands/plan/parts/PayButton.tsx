import type { Quote } from '../../../../contract/billing/purchase.ts'
import { TRIAL_DAYS } from '../../../../contract/billing/money.ts'
import { dayWords } from '../../../domain/time/date-formats.ts'
import { formatMoney } from '../../../../contract/billing/amounts.ts'
import { submitPurchase, pressEarly, getShownQuote, type Checkout } from '../../../stores/billing/checkout.ts'
import { loadQuote } from '../../../stores/billing/price-quote.ts'
import { Button } from '../../../ui/Button.tsx'
import { focusField, findMissingField } from './missing-fields.ts'

interface PayButtonProps {
  checkout: Checkout
  /** True in the phone bar, which shows the amount beside the button. */
  isShort?: boolean
}

/**
 * Pay button, labeled with the exact amount. If a field is missing, the label says what to do and a press focuses the
 * field. A press while the price loads pays only if the loaded price equals the price that the user saw.
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
  const missing = findMissingField(checkout, form.methodId !== null)
  const quote = getShownQuote()
  const isMissing = missing.text !== ''
  const isPriced = price.state === 'ready'
  const isPaying = payment.state === 'paying' || payment.state === 'task'
  const isBusy = isPaying || (!isPriced && !isMissing)
  const waitsFor = isMissing ? missing.text : isPriced ? '' : 'Calculating the price'
  return (
    <Button
      size="lg"
      className="pay-button"
      isBusy={isBusy}
      busyText={isShort ? 'Paying…' : 'Processing payment…'}
      missingText={isShort ? shortenLabel(waitsFor) : waitsFor}
      aria-label={isShort && quote && waitsFor === '' && !isBusy ? buttonLabel(quote, false) : undefined}
      onMissing={() => (isMissing ? focusField(missing.field) : payment.state !== 'waiting' && void pressEarly())}
      onClick={() => void submitPurchase()}
    >
      {quote && buttonLabel(quote, isShort)}
    </Button>
  )
}

const shortenLabel = (words: string) =>
  words.replace('Choose monthly or annual', 'Choose').replace(/^Calculating .*/, 'Calculating…')

function buttonLabel({ due, currency, is_trial, is_later, starts_at, as_of }: Quote, isShort: boolean): string {
  if (due > 0) return isShort ? 'Pay' : `Pay ${formatMoney(due, currency)}`
  if (is_trial) return isShort ? 'Start' : `Start ${TRIAL_DAYS}-day free trial`
  if (is_later) return isShort ? 'Change' : `Change plan on ${dayWords(starts_at, as_of)}`
  return isShort ? 'Confirm' : `Confirm for ${formatMoney(0, currency)} today`
}
