import CircleAlert from 'lucide-react/icons/circle-alert'
import { useEffect, useRef } from 'react'
import { formatClock } from '../../../domain/time/date-formats.ts'
import { formatMoney } from '../../../../contract/billing/amounts.ts'
import type { Declined } from '../../../stores/billing/checkout.ts'
import { useCardPage } from './use-card-page.ts'

export function DeclinedBadge() {
  return (
    <span className="badge badge-error">
      <CircleAlert size={14} aria-hidden="true" />
      Declined
    </span>
  )
}

/** Message about a declined charge: reason, time, amount and code. Takes the focus. */
export function DeclineMessage({ declined: { text, at, cents, currency, code, problems } }: { declined: Declined }) {
  const container = useRef<HTMLDivElement>(null)
  const { isBusy, open } = useCardPage()
  useEffect(() => container.current?.focus(), [at])
  const action = code === '4223' ? 'Edit address' : code === '0000' ? 'Correct the card details' : ''
  return (
    <div ref={container} id="refusal" className="hint-strip refusal" data-tone="error" role="alert" tabIndex={-1}>
      <CircleAlert size={18} aria-hidden="true" />
      <div>
        <p>
          <b>{text}</b>
        </p>
        {problems.length > 0 && (
          <ul>
            {problems.map(({ field, text }) => (
              <li key={field}>{text}</li>
            ))}
          </ul>
        )}
        <p>
          We tried to charge {formatMoney(cents, currency)} at {formatClock(at)}. Error code {code}.
        </p>
        {action && (
          <button type="button" className="text-action" aria-disabled={isBusy} onClick={() => open()}>
            {isBusy ? 'Opening…' : action}
          </button>
        )}
      </div>
    </div>
  )
}
