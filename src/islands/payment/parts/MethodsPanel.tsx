import { useStore } from '@nanostores/react'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Lock from 'lucide-react/icons/lock'
import Plus from 'lucide-react/icons/plus'
import { useRef } from 'react'
import { BRAND_NAME } from '../../../../contract/brand.ts'
import { $amountDue } from '../../../stores/billing/amount-due.ts'
import { $returnProblem } from '../../../stores/billing/card-page-return.ts'
import { $paymentMethods } from '../../../stores/billing/payment-methods.ts'
import { Button } from '../../../ui/Button.tsx'
import { MethodRow } from './MethodRow.tsx'
import { useCardPage } from './use-card-page.ts'

export function MethodsPanel() {
  const { methods } = useStore($paymentMethods)
  const addButton = useRef<HTMLButtonElement>(null)
  const { isBusy, open } = useCardPage()
  // After a declined charge, "Pay now" is the primary button.
  const isPaymentDue = useStore($amountDue) !== null
  return (
    <section className="card methods-panel" aria-labelledby="methods-title">
      <h2 id="methods-title">Payment methods</h2>
      <Button
        ref={addButton}
        kind={isPaymentDue ? 'outline' : 'primary'}
        className="methods-add"
        isBusy={isBusy}
        busyText="Opening…"
        onClick={() => open()}
      >
        <Plus size={18} aria-hidden="true" />
        Add a payment method
      </Button>
      <div className="methods-list">
        <CardPageProblem />
        {methods.length === 0 ? (
          <p className="methods-none">No card or wallet saved. You only need one when you buy a plan.</p>
        ) : (
          <ul aria-label="Payment methods">
            {methods.map((method) => (
              <MethodRow key={method.method_id} method={method} onAddFirst={() => addButton.current?.focus()} />
            ))}
          </ul>
        )}
      </div>
      <p className="hint-strip">
        <Lock size={18} aria-hidden="true" />
        You enter card details on a separate secure page. {BRAND_NAME} keeps only the card brand, last four digits,
        expiration date, and billing address.
      </p>
    </section>
  )
}

function CardPageProblem() {
  const problem = useStore($returnProblem)
  if (!problem) return null
  return (
    <div className="hint-strip" data-tone="error" role="alert">
      <CircleAlert size={18} aria-hidden="true" />
      <span>
        <b>{problem.text}</b>
        <br />
        {/^\d{4}$/.test(problem.code) && `Error code ${problem.code}. `}No card was saved, and you haven’t been charged.
      </span>
    </div>
  )
}
