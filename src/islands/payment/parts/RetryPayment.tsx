import { useStore } from '@nanostores/react'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { methodFact, methodName } from '../../../domain/copy/payment-methods.ts'
import { $checkout, isHeld, leaveRefusal, type Checkout } from '../../../stores/billing/checkout.ts'
import { $methodNote, $payment } from '../../../stores/billing/payment-methods.ts'
import { CardMark } from '../../../ui/CardMark.tsx'
import { Choice, Choices } from '../../../ui/Choice.tsx'
import { PayPanel } from './PayPanel.tsx'
import { Refusal, RefusedBadge } from './DeclineMessage.tsx'
import { useCardPage } from './use-card-page.ts'

/** Declined charge: the reason, other payment methods, and the exact amount. */
export function PayAgain() {
  const checkout = useStore($checkout)
  const { methods } = useStore($payment)
  const declined = useDeclined(checkout)
  const note = useStore($methodNote)
  const [chosen, setChosen] = useState<string | null>(null)
  if (!checkout) return null
  const isOff = isHeld(checkout)
  const refusedId = declined?.methodId ?? null
  // Prefers the card that was added for this charge.
  const added = note && !note.isProblem ? note.methodId : null
  const meant = isOff ? checkout.form.methodId : (chosen ?? added ?? refusedId)
  const method = methods.find(({ method_id }) => method_id === meant) ?? null
  return (
    <div className="pay-mode">
      <Head checkout={checkout} isDeclined={declined !== null} />
      <div className="pay-grid">
        <section className="card pay-methods" aria-label="Payment methods" inert={isOff}>
          <Choices legend="What pays" isLegendHidden>
            {methods.map((option) => (
              <MethodChoice
                key={option.method_id}
                method={option}
                isChosen={option === method}
                isRefused={option.method_id === refusedId}
                onChoose={() => setChosen(option.method_id)}
              >
                {declined && option.method_id === refusedId && <Refusal declined={declined} />}
              </MethodChoice>
            ))}
          </Choices>
          {declined && !methods.some(({ method_id }) => method_id === refusedId) && <Refusal declined={declined} />}
          <AddMethod checkout={checkout} />
        </section>
        <PayPanel checkout={checkout} method={method} declined={declined} />
      </div>
    </div>
  )
}

/** Keeps the decline visible during the next attempt. */
function useDeclined(checkout: Checkout | null) {
  const [last, setLast] = useState(() => (checkout?.payment.state === 'declined' ? checkout.payment : null))
  const now = checkout?.payment
  if (now?.state === 'declined' && now !== last) setLast(now)
  return now?.state === 'declined' ? now : last
}

function Head({ checkout, isDeclined }: { checkout: Checkout; isDeclined: boolean }) {
  const { form, own, payment } = checkout
  const { name } = getPlan(form.sku)
  const isOver = isDeclined && !isHeld(checkout)
  return (
    <>
      <nav className="crumbs" aria-label="Breadcrumb">
        <a href="/account/products/choose">Plans</a>
        <ChevronRight size={14} aria-hidden="true" />
        <a href={`/account/products/${form.segment}`}>{name}</a>
        <ChevronRight size={14} aria-hidden="true" />
        <span className="text-ink" aria-current="page">
          Payment
        </span>
      </nav>
      <h1>{isOver ? 'Pay with another method' : `Paying for ${name}`}</h1>
      <p className="text-ink-2">
        {isOver && `Nothing was charged${own ? `, and ${getPlan(own.sku).name} goes on as before` : ''}. `}
        Your choices are kept.{' '}
        {payment.state !== 'paying' && (
          <button type="button" className="text-action" onClick={leaveRefusal}>
            All payment methods
          </button>
        )}
      </p>
    </>
  )
}

interface MethodChoiceProps {
  method: PaymentMethod
  isChosen: boolean
  isRefused: boolean
  onChoose: () => void
  children: React.ReactNode
}

function MethodChoice({ method, isChosen, isRefused, onChoose, children }: MethodChoiceProps) {
  const isOver = method.state === 'ended'
  return (
    <>
      <Choice
        name="method"
        checked={isChosen}
        isRefused={isRefused}
        isOff={isOver}
        onChange={onChoose}
        mark={<CardMark brand={method.brand} />}
        title={methodName(method)}
        note={isOver ? 'It has ended and pays nothing.' : methodFact(method)}
        end={isRefused && <RefusedBadge />}
        describedBy={isRefused ? 'refusal' : undefined}
      />
      {children}
    </>
  )
}

function AddMethod({ checkout }: { checkout: Checkout }) {
  const { isBusy, open } = useCardPage()
  const quote = checkout.price.state === 'ready' ? checkout.price.quote.quote : undefined
  return (
    <button type="button" className="add-method" aria-disabled={isBusy} onClick={() => open({ quote })}>
      <Plus size={20} aria-hidden="true" />
      {isBusy ? 'Opening' : 'Add a card or wallet'}
    </button>
  )
}
