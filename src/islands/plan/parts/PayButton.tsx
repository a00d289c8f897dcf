import type { Quote } from '../../../../contract/purchase.ts'
import { TRIAL_DAYS } from '../../../../contract/money.ts'
import { dayWords } from '../../../domain/dates.ts'
import { inMoney } from '../../../domain/money.ts'
import { pay, shownQuote, type Checkout } from '../../../stores/commerce/checkout.ts'
import { askPrice } from '../../../stores/commerce/price.ts'
import { Button } from '../../../ui/Button.tsx'
import { goTo, missingOf } from './missing.ts'

interface PayButtonProps {
  checkout: Checkout
  /** In the bar of a phone, which shows the amount beside it. */
  isShort?: boolean
}

/** Says what it does, to the cent; before that what is missing, where a press leads, or that the price is asked for again. */
export function PayButton({ checkout, isShort = false }: PayButtonProps) {
  const { price, payment, form } = checkout
  if (payment.state === 'elsewhere') return null
  if (price.state === 'failed')
    return (
      <Button size="lg" className="pay-button" onClick={() => void askPrice()}>
        Try again
      </Button>
    )
  const missing = missingOf(checkout, form.methodId !== null)
  const quote = shownQuote()
  const isAsking = price.state === 'asking' && !quote
  const isPaying = payment.state === 'paying' || payment.state === 'task'
  const isBusy = isPaying || isAsking
  return (
    <Button
      size="lg"
      className="pay-button"
      isBusy={isBusy}
      busyText={isAsking ? 'Asking the price' : isShort ? 'Paying' : 'Paying, one moment'}
      waitsFor={isShort && missing.text !== '' ? shortOf(missing.text) : missing.text}
      aria-label={isShort && quote && missing.text === '' && !isBusy ? wordsOf(quote, false) : undefined}
      onMissing={() => goTo(missing.at)}
      onClick={() => price.state === 'ready' && void pay()}
    >
      {quote ? wordsOf(quote, isShort) : 'See the price first'}
    </Button>
  )
}

const shortOf = (missing: string) => missing.replace('Choose monthly or annual', 'Choose')

function wordsOf({ due, currency, is_trial, is_later, starts_at, as_of }: Quote, isShort: boolean): string {
  if (due > 0) return isShort ? 'Pay' : `Pay ${inMoney(due, currency)}`
  if (is_trial) return isShort ? 'Start' : `Start ${TRIAL_DAYS} free days`
  if (is_later) return isShort ? 'Change' : `Change on ${dayWords(starts_at, as_of)}`
  return isShort ? 'Confirm' : `Confirm, ${inMoney(0, currency)} today`
}
