import { useStore } from '@nanostores/react'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect, useRef } from 'react'
import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { formatMoney } from '../../../../contract/billing/amounts.ts'
import { failureReasonText, listDunningDates, nextTryText, retryText } from '../../../domain/copy/open-invoice.ts'
import { methodName } from '../../../domain/copy/payment-methods.ts'
import { $bankPage } from '../../../stores/billing/cancellation.ts'
import { navigateToCardPage } from '../../../stores/billing/payment-methods.ts'
import { buildUnpaidReturn } from '../../../stores/billing/unpaid-charge.ts'
import { BankLink } from '../../../ui/BankLink.tsx'
import { Button } from '../../../ui/Button.tsx'
import { type ActionFailure, useAction } from '../../../ui/use-action.ts'
import { DunningDates } from './DunningDates.tsx'
import { useUnpaidCharge, type UnpaidCharge } from './use-unpaid-charge.ts'

interface FailedPaymentProps {
  subscription: Subscription
  open: NonNullable<Subscription['open']>
  /** Current time by the plan's test clock, ms UTC. */
  now: number
}

/** Failed charge: reason, attempts, deadline, and buttons that pay it. */
export function FailedPayment({ subscription, open, now }: FailedPaymentProps) {
  const charge = useUnpaidCharge(subscription, open)
  const { savedMethod, failure } = charge
  return (
    <>
      {savedMethod && !failure ? (
        <p className="hint-strip" data-tone="success" role="status">
          <CircleCheck size={20} aria-hidden="true" />
          <span>
            <b>{methodName(savedMethod)} is saved.</b> You haven’t been charged yet.
          </span>
        </p>
      ) : (
        <FailureReason failure={failure} reason={failureReasonText(open)} retries={retryText(subscription, now)} />
      )}
      <PaymentOptions subscription={subscription} open={open} now={now} charge={charge} />
      <DunningDates dates={listDunningDates(subscription, now)} />
    </>
  )
}

interface FailureReasonProps {
  failure: ActionFailure | null
  reason: string
  retries: string
}

/** Reason of the last attempt on this page or, before any attempt, of the last automatic attempt. */
function FailureReason({ failure, reason, retries }: FailureReasonProps) {
  return (
    <p className="hint-strip" data-tone="error" role={failure ? 'alert' : undefined}>
      <CircleAlert size={20} aria-hidden="true" />
      <span>
        <b className="block">{failure?.text ?? reason}</b>
        {retries}
      </span>
    </p>
  )
}

/** Focuses the button of a card that was just saved for this charge, and scrolls the service into view. */
function useFocusOnReturn(savedMethod: PaymentMethod | undefined) {
  const button = useRef<HTMLButtonElement>(null)
  const savedId = savedMethod?.method_id
  useEffect(() => {
    if (savedId === undefined) return
    button.current?.scrollIntoView({ block: 'center' })
    button.current?.focus({ preventScroll: true })
  }, [savedId])
  return button
}

function PaymentOptions({ subscription, open, now, charge }: FailedPaymentProps & { charge: UnpaidCharge }) {
  const { isLoaded, savedMethod, method, retryMethod, defaultMethod, fromBalance, isBusy, pay } = charge
  const cardPage = useAction()
  const payButton = useFocusOnReturn(savedMethod)
  const { subscription_id } = subscription
  const amount = formatMoney(open.total - fromBalance)
  const busyProps = { isBusy, busyText: `Paying ${amount}…` }
  const openCardPage = () =>
    navigateToCardPage(buildUnpaidReturn(subscription_id), { unpaidSubscriptionId: subscription_id })
  if (!isLoaded) return null
  return (
    <div className="open-ways">
      {method && (
        <Button ref={payButton} {...busyProps} onClick={() => void pay(method)}>
          Pay {amount} with {methodName(method)}
        </Button>
      )}
      <Button
        kind={method ? 'plain' : 'primary'}
        className={method ? 'open-other' : ''}
        isBusy={cardPage.isBusy}
        busyText="Opening…"
        onClick={() => isBusy || void cardPage.run(openCardPage)}
      >
        {method ? 'Use another method' : 'Pay with another method'}
      </Button>
      {!method && retryMethod && (
        <Button kind="outline" {...busyProps} onClick={() => void pay(retryMethod)}>
          Try {methodName(retryMethod)} again
        </Button>
      )}
      <p className="text-small text-ink-2">
        {fromBalance > 0 && `Your balance covers ${formatMoney(fromBalance)} of ${formatMoney(open.total)}. `}
        {defaultMethod && nextTryText(open, methodName(defaultMethod), now)}
      </p>
      {isBusy && <BankConfirmation />}
    </div>
  )
}

function BankConfirmation() {
  const bankPage = useStore($bankPage)
  if (bankPage === null) return null
  return (
    <p className="hint-strip" role="status">
      <span>Your bank needs you to confirm this payment. You won’t be charged until you do.</span>
      <BankLink url={bankPage} />
    </p>
  )
}
