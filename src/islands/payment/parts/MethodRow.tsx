import { useStore } from '@nanostores/react'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Clock from 'lucide-react/icons/clock'
import { useState } from 'react'
import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { expiryLabel, methodLine, methodName } from '../../../domain/copy/payment-methods.ts'
import { $methodNote, $payment, makeDefault } from '../../../stores/billing/payment-methods.ts'
import { CardMark } from '../../../ui/CardMark.tsx'
import { useAct } from '../../../ui/use-action.ts'
import { RemoveSheet } from './RemoveMethodSheet.tsx'
import { useCardPage } from './use-card-page.ts'

interface Props {
  method: PaymentMethod
  onAddFirst: () => void
}

/** One payment method: name, charges that it pays, actions. */
export function MethodRow({ method, onAddFirst }: Props) {
  const { upcoming } = useStore($payment)
  const note = useStore($methodNote)
  const own = note?.methodId === method.method_id ? note : null
  return (
    <li className="method-row">
      <CardMark brand={method.brand} />
      <div className="method-words">
        <p className="method-name">
          <b>{methodName(method)}</b>
          <Badges method={method} />
        </p>
        <p className="text-small text-ink-2">{methodLine(method, upcoming)}</p>
        {own && (
          <p
            className="method-note"
            data-tone={own.isProblem ? 'error' : 'success'}
            role={own.isProblem ? 'alert' : 'status'}
          >
            {own.isProblem ? (
              <CircleAlert size={16} aria-hidden="true" />
            ) : (
              <CircleCheck size={16} aria-hidden="true" />
            )}
            {own.text}
          </p>
        )}
      </div>
      <Actions method={method} onAddFirst={onAddFirst} />
    </li>
  )
}

function Badges({ method: { is_default, state, ends } }: { method: PaymentMethod }) {
  return (
    <>
      {is_default && (
        <span className="badge badge-primary">
          <CircleCheck size={14} aria-hidden="true" />
          Default
        </span>
      )}
      {state === 'ending' && (
        <span className="badge badge-warning">
          <Clock size={14} aria-hidden="true" />
          Ends {expiryLabel(ends)}
        </span>
      )}
      {state === 'ended' && (
        <span className="badge badge-error">
          <CircleAlert size={14} aria-hidden="true" />
          Ended {expiryLabel(ends)}
        </span>
      )}
    </>
  )
}

function Actions({ method, onAddFirst }: Props) {
  const { methods } = useStore($payment)
  const { isBusy, run } = useAct()
  const card = useCardPage()
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
          aria-disabled={card.isBusy}
          onClick={() => card.open({ replaces: method })}
        >
          {card.isBusy ? 'Opening' : 'Replace'}
        </button>
      )}
      {!is_default && state !== 'ended' && (
        <button
          type="button"
          className="text-action"
          aria-label={`Make default: ${name}`}
          aria-disabled={isBusy}
          onClick={() => void run(() => makeDefault(method))}
        >
          {isBusy ? 'Saving' : 'Make default'}
        </button>
      )}
      {!may_go && (isLast || !is_default) && (
        <button type="button" className="text-action" aria-disabled="true" onClick={onAddFirst}>
          Add another first
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
      {isAsking && <RemoveSheet method={method} onClose={() => setIsAsking(false)} />}
    </p>
  )
}
