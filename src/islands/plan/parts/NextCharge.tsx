import { useStore } from '@nanostores/react'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import type { Quote } from '../../../../contract/billing/purchase.ts'
import { TRIAL_DAYS } from '../../../../contract/billing/money.ts'
import { formatClock, fullDayLabel } from '../../../domain/time/date-formats.ts'
import { formatMoney } from '../../../../contract/billing/amounts.ts'
import { hasRenewalReminder, RENEWAL_REMINDER_TEXT } from '../../../domain/copy/price-quote.ts'
import { methodName } from '../../../domain/copy/payment-methods.ts'
import { $paymentMethods } from '../../../stores/billing/payment-methods.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

/** Start date of a scheduled change, end date of a free trial, and the next charge. */
export function NextCharge({ quote }: { quote: Quote }) {
  const { next, is_trial, is_later, starts_at, currency } = quote
  // The ledger charges renewals to the default method, even if another method pays today.
  const method = useStore($paymentMethods).methods.find(({ is_default }) => is_default)
  return (
    <p className="hint-strip">
      <CalendarClock size={18} aria-hidden="true" />
      <span>
        {is_later && (
          <>
            Starts <b>{fullDayLabel(starts_at)}</b>.{' '}
          </>
        )}
        {is_trial && (
          <>
            Ends automatically on <b>{fullDayLabel(starts_at + TRIAL_DAYS * DAY_MS)}</b>. No card, no charge.
          </>
        )}
        {next && (
          <>
            Next charge: <b>{`${fullDayLabel(next.at)}, ${formatMoney(next.total, currency)}`}</b> with tax
            {method && `, to ${methodName(method)}`}.{' '}
            {hasRenewalReminder(quote.period, next.at, quote.as_of) && RENEWAL_REMINDER_TEXT}
          </>
        )}
        {!next && !is_trial && 'No further charges.'}
      </span>
    </p>
  )
}

/** Formats the time of the quote and the time until which it is valid. */
export const formatValidity = ({ as_of, expires_at }: Quote): string =>
  `Price as of ${formatClock(as_of)}, valid until ${formatClock(expires_at)}.`
