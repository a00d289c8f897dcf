import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { dayWords } from '../../../domain/time/date-formats.ts'
import { formatMoney } from '../../../../contract/billing/amounts.ts'
import { chargeLine, methodName } from '../../../domain/copy/payment-methods.ts'
import { $paymentMethods, makeMethodDefault } from '../../../stores/billing/payment-methods.ts'
import { Button } from '../../../ui/Button.tsx'
import { MoneyRow } from '../../../ui/Money.tsx'
import { useAction } from '../../../ui/use-action.ts'

/** The next charges, at most two. If one would fail, offers to make another valid payment method the default. */
export function UpcomingCharges() {
  const { methods, upcoming, balance } = useStore($paymentMethods)
  const [now] = useState(Date.now)
  const { isBusy, run } = useAction()
  const next = upcoming.toSorted((charge, other) => charge.at - other.at).slice(0, 2)
  const failingCharge = next.find(({ would_fail }) => would_fail)
  const validMethod =
    failingCharge && methods.find(({ state, method_id }) => state === 'good' && method_id !== failingCharge.method_id)
  return (
    <section className="card side-panel" aria-labelledby="next-title">
      <h3 id="next-title">Upcoming charges</h3>
      {next.length === 0 && <p className="text-small text-ink-2">No upcoming charges.</p>}
      <dl className="next-charges">
        {next.map((charge) => (
          <MoneyRow
            key={`${charge.subscription_id} ${charge.at}`}
            title={dayWords(charge.at, now)}
            cents={charge.due}
            note={chargeLine(charge, methods)}
          />
        ))}
      </dl>
      {balance > 0 && (
        <p className="text-small text-ink-2">Your balance of {formatMoney(balance)} goes toward your next invoice.</p>
      )}
      {validMethod && (
        <Button kind="soft" size="sm" isBusy={isBusy} onClick={() => void run(() => makeMethodDefault(validMethod))}>
          Use {methodName(validMethod)} instead
        </Button>
      )}
    </section>
  )
}
