import CircleAlert from 'lucide-react/icons/circle-alert'
import { useEffect, useRef } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { resumePurchaseTask, type Payment } from '../../../stores/billing/checkout.ts'
import { BankLink } from '../../../ui/BankLink.tsx'
import { Button } from '../../../ui/Button.tsx'
import { formatClock } from '../../../domain/time/date-formats.ts'

const STEP_TEXTS = {
  asked: 'Contacting your bank…',
  authorised: 'Payment approved.',
  charged: 'Payment complete. Activating your plan…',
} as const

/** Progress of the purchase, a pending purchase of another plan, or the reason why the payment failed. */
export function PaymentNote({ payment }: { payment: Payment }) {
  if (payment.state === 'task') return <TaskNote task={payment} />
  if (payment.state === 'elsewhere') return <PendingPurchaseNote {...payment} />
  if (payment.state === 'refused' || payment.state === 'failed') return <PaymentFailure payment={payment} />
  return null
}

/** Message about a failed payment. Takes the focus, because the press on the button did not lead to a purchase. */
function PaymentFailure({ payment }: { payment: Extract<Payment, { text: string }> }) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => container.current?.focus(), [payment])
  const hasPlan = payment.state === 'refused' && (payment.why === 'exists' || payment.why === 'unclear')
  return (
    <div
      ref={container}
      className="hint-strip"
      data-tone={payment.state === 'refused' ? 'warning' : 'error'}
      role="alert"
      tabIndex={-1}
    >
      <CircleAlert size={18} aria-hidden="true" />
      <span>
        <b>{payment.text}</b>
        {hasPlan && (
          <>
            {' '}
            <a className="link" href="/account/services">
              Go to Services
            </a>
          </>
        )}
      </span>
    </div>
  )
}

/**
 * Note that a purchase of another plan is in progress. Only one purchase runs at a time, and the other plan's page
 * shows its result.
 */
function PendingPurchaseNote({ segment, sku }: Extract<Payment, { state: 'elsewhere' }>) {
  return (
    <div className="hint-strip" data-tone="warning" role="status">
      <CircleAlert size={18} aria-hidden="true" />
      <span>
        <b>Your purchase of {getPlan(sku).name} is still in progress.</b> We don’t know yet if the payment went through.{' '}
        <a className="link" href={`/account/products/${segment}`}>
          Check purchase status
        </a>
      </span>
    </div>
  )
}

function TaskNote({ task }: { task: Extract<Payment, { state: 'task' }> }) {
  const since = `Started at ${formatClock(task.begunAt)}.`
  if (task.actionUrl !== null) return <BankConfirmationNote url={task.actionUrl} isLong={task.isLong} />
  return (
    <div className="hint-strip plan-task" role="status">
      {!task.isLong && <span className="spinner" aria-hidden="true" />}
      <span>
        <b>{task.isLong ? 'This is taking longer than usual.' : STEP_TEXTS[task.step]}</b>{' '}
        {task.isLong
          ? `${since} Your purchase isn’t lost, and you won’t be charged twice.`
          : `${since} You can leave this page. The purchase continues automatically.`}
      </span>
      {task.isLong && (
        <Button kind="outline" size="sm" onClick={() => void resumePurchaseTask()}>
          Check again
        </Button>
      )}
    </div>
  )
}

function BankConfirmationNote({ url, isLong }: { url: string; isLong: boolean }) {
  return (
    <div className="hint-strip plan-task" role="status">
      <span>
        <b>Your bank needs you to confirm this payment.</b> You won’t be charged until you do.{' '}
        {isLong
          ? 'After you confirm, press “Check again”.'
          : 'Your bank’s page opens in a new window. This page updates after you confirm.'}
      </span>
      <BankLink url={url} />
      {isLong && (
        <Button kind="outline" size="sm" onClick={() => void resumePurchaseTask()}>
          Check again
        </Button>
      )}
    </div>
  )
}
