import { useStore } from '@nanostores/react'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Clock from 'lucide-react/icons/clock'
import { useState } from 'react'
import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { isDeclinedMethod } from '../../../domain/billing/failed-method.ts'
import { failureReasonText } from '../../../domain/copy/open-invoice.ts'
import { expiryLabel, describeMethodUse, methodName } from '../../../domain/copy/payment-methods.ts'
import { $amountDue } from '../../../stores/billing/amount-due.ts'
import { $methodMessage, $paymentMethods, makeMethodDefault } from '../../../stores/billing/payment-methods.ts'
import { CardMark } from '../../../ui/CardMark.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { RemoveMethodSheet } from './RemoveMethodSheet.tsx'
import { useCardPage } from './use-card-page.ts'

interface MethodRowProps {
  method: PaymentMethod
  onAddFirst: () => void
}

const REMOVE_REASON = 'To remove this method, add another one first.'

const getReasonId = ({ method_id }: PaymentMethod) => `no-remove-${method_id}`

/** True if the row shows a Remove button that cannot be used, because a plan would have no method left. */
const isRemoveBlocked = ({ may_go, is_default }: PaymentMethod, methodCount: number) =>
  !may_go && (methodCount === 1 || !is_default)

/** One payment method: name, charges that it pays, actions. */
export function MethodRow({ method, onAddFirst }: MethodRowProps) {
  const { methods, upcoming } = useStore($paymentMethods)
  const note = useStore($methodMessage)
  const due = useStore($amountDue)
  const declined = due && isDeclinedMethod(method, due.open) ? due.open : null
  const methodNote = note?.methodId === method.method_id ? note : null
  return (
    <li className="method-row">
      <CardMark brand={method.brand} />
      <div className="method-words">
        <p className="method-name">
          <b>{methodName(method)}</b>
          <MethodBadges method={method} isDeclined={declined !== null} />
        </p>
        <p className="text-small text-ink-2">{describeMethodUse(method, upcoming)}</p>
        {declined && (
          <p className="method-note" data-tone="error">
            {failureReasonText(declined)}
          </p>
        )}
        {isRemoveBlocked(method, methods.length) && (
          <p id={getReasonId(method)} className="text-small text-ink-2">
            {REMOVE_REASON}
          </p>
        )}
        {methodNote && (
          <p
            className="method-note"
            data-tone={methodNote.isProblem ? 'error' : 'success'}
            role={methodNote.isProblem ? 'alert' : 'status'}
          >
            {methodNote.isProblem ? (
              <CircleAlert size={16} aria-hidden="true" />
            ) : (
              <CircleCheck size={16} aria-hidden="true" />
            )}
            {methodNote.text}
          </p>
        )}
      </div>
      <MethodActions method={method} onAddFirst={onAddFirst} />
    </li>
  )
}

interface MethodBadgesProps {
  method: PaymentMethod
  /** True if the last charge failed with this method. */
  isDeclined: boolean
}

function MethodBadges({ method: { is_default, state, ends }, isDeclined }: MethodBadgesProps) {
  return (
    <>
      {is_default && (
        <span className="badge badge-primary">
          <CircleCheck size={14} aria-hidden="true" />
          Default
        </span>
      )}
      {isDeclined && (
        <span className="badge badge-error">
          <CircleAlert size={14} aria-hidden="true" />
          Declined
        </span>
      )}
      {state === 'ending' && (
        <span className="badge badge-warning">
          <Clock size={14} aria-hidden="true" />
          Expires {expiryLabel(ends)}
        </span>
      )}
      {state === 'ended' && (
        <span className="badge badge-error">
          <CircleAlert size={14} aria-hidden="true" />
          Expired {expiryLabel(ends)}
        </span>
      )}
    </>
  )
}

function MethodActions({ method, onAddFirst }: MethodRowProps) {
  const { methods } = useStore($paymentMethods)
  const { isBusy, run } = useAction()
  const cardPage = useCardPage()
  const [isAsking, setIsAsking] = useState(false)
  const { is_default, may_go, state } = method
  const name = methodName(method)
  const isLast = methods.length === 1
  return (
    <p className="method-actions">
      {is_default && (
        <button
          type="button"
          className="text-action"
          aria-label={`Replace ${name}`}
          aria-disabled={cardPage.isBusy}
          onClick={() => cardPage.open({ replaces: method })}
        >
          {cardPage.isBusy ? 'Opening…' : 'Replace'}
        </button>
      )}
      {!is_default && state !== 'ended' && (
        <button
          type="button"
          className="text-action"
          aria-label={`Make default: ${name}`}
          aria-disabled={isBusy}
          onClick={() => void run(() => makeMethodDefault(method))}
        >
          {isBusy ? 'Saving…' : 'Make default'}
        </button>
      )}
      {isRemoveBlocked(method, methods.length) && (
        <button
          type="button"
          className="text-action"
          aria-label={`Remove ${name}`}
          aria-disabled="true"
          aria-describedby={getReasonId(method)}
          title={REMOVE_REASON}
          onClick={onAddFirst}
        >
          Remove
        </button>
      )}
      {may_go && (isLast || !is_default) && (
        <button
          type="button"
          className="text-action"
          data-tone="danger"
          aria-label={`Remove ${name}`}
          onClick={() => setIsAsking(true)}
        >
          Remove
        </button>
      )}
      {isAsking && <RemoveMethodSheet method={method} onClose={() => setIsAsking(false)} />}
    </p>
  )
}
