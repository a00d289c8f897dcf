import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { dayWords } from '../../../domain/time/date-formats.ts'
import { formatMoney } from '../../../../contract/billing/amounts.ts'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { nextTryText } from '../../../domain/copy/open-invoice.ts'
import { chargeLine, findOtherMethod, methodName } from '../../../domain/copy/payment-methods.ts'
import { $amountDue, type AmountDue } from '../../../stores/billing/amount-due.ts'
import { $paymentMethods, makeMethodDefault } from '../../../stores/billing/payment-methods.ts'
import { Button } from '../../../ui/Button.tsx'
import { MoneyRow } from '../../../ui/Money.tsx'
import { useAction } from '../../../ui/use-action.ts'

/** The amount due after a declined charge, and the next charges, at most two. */
export function UpcomingCharges() {
  const { methods, upcoming, balance } = useStore($paymentMethods)
  const due = useStore($amountDue)
  const [now] = useState(Date.now)
  // The next charge of a past-due plan is a retry of the amount due.
  const next = upcoming
    .filter(({ subscription_id }) => subscription_id !== due?.subscription.subscription_id)
    .toSorted((charge, other) => charge.at - other.at)
    .slice(0, 2)
  return (
    <>
      {due && <AmountDueRow due={due} now={now + due.subscription.clock} />}
      {(next.length > 0 || !due) && (
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
            <p className="text-small text-ink-2">
              Your balance of {formatMoney(balance)} goes toward your next invoice.
            </p>
          )}
          <SwitchButton />
        </section>
      )}
    </>
  )
}

/** Unpaid charge with a link to its payment. Says when the ledger retries it, and with which method. */
function AmountDueRow({ due: { open, subscription }, now }: { due: AmountDue; now: number }) {
  const defaultMethod = useStore($paymentMethods).methods.find(({ is_default }) => is_default)
  return (
    <section className="card side-panel" aria-labelledby="due-title">
      <h3 id="due-title">Amount due</h3>
      <dl className="next-charges">
        <MoneyRow
          title={`Since ${dayWords(open.due_at, now)}`}
          cents={open.total}
          note={getPlan(subscription.sku).name}
        />
      </dl>
      {defaultMethod && <p className="text-small text-ink-2">{nextTryText(open, methodName(defaultMethod), now)}</p>}
      <a className="btn btn-primary" href="/account/services">
        Pay now
      </a>
    </section>
  )
}

/** Makes another valid payment method the default, which then pays all upcoming charges. */
function SwitchButton() {
  const { methods, upcoming } = useStore($paymentMethods)
  const { isBusy, run } = useAction()
  const method = findOtherMethod(methods, upcoming)
  if (!method) return null
  return (
    <Button kind="soft" size="sm" isBusy={isBusy} onClick={() => void run(() => makeMethodDefault(method))}>
      Use {methodName(method)} from now on
    </Button>
  )
}
