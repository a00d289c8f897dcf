import { useStore } from '@nanostores/react'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { methodDetail, methodName } from '../../../domain/copy/payment-methods.ts'
import { $checkout, isCheckoutLocked, showMethodList, type Checkout } from '../../../stores/billing/checkout.ts'
import { $methodMessage, $paymentMethods } from '../../../stores/billing/payment-methods.ts'
import { CardMark } from '../../../ui/CardMark.tsx'
import { Choice, Choices } from '../../../ui/Choice.tsx'
import { PayPanel } from './PayPanel.tsx'
import { DeclineMessage, DeclinedBadge } from './DeclineMessage.tsx'
import { useCardPage } from './use-card-page.ts'

/** Page for a purchase that is in progress, declined or failed: reason, payment methods, and exact amount. */
export function RetryPayment() {
  const checkout = useStore($checkout)
  const { methods } = useStore($paymentMethods)
  const decline = useLastDecline(checkout)
  const note = useStore($methodMessage)
  const [chosenId, setChosenId] = useState<string | null>(null)
  if (!checkout) return null
  const isLocked = isCheckoutLocked(checkout)
  const declinedId = decline?.methodId ?? null
  // Preselects the card that was added for this charge.
  const addedId = note && !note.isProblem ? note.methodId : null
  const selectedId = isLocked ? checkout.form.methodId : (chosenId ?? addedId ?? declinedId)
  const method = methods.find(({ method_id }) => method_id === selectedId) ?? null
  return (
    <div className="pay-mode">
      <RetryHeader checkout={checkout} isDeclined={decline !== null} />
      <div className="pay-grid">
        <section className="card pay-methods" aria-label="Payment methods" inert={isLocked}>
          <Choices legend="Payment method" isLegendHidden>
            {methods.map((option) => (
              <MethodChoice
                key={option.method_id}
                method={option}
                isChosen={option === method}
                isDeclined={option.method_id === declinedId}
                onChoose={() => setChosenId(option.method_id)}
              >
                {decline && option.method_id === declinedId && <DeclineMessage declined={decline} />}
              </MethodChoice>
            ))}
          </Choices>
          {decline && !methods.some(({ method_id }) => method_id === declinedId) && (
            <DeclineMessage declined={decline} />
          )}
          <AddMethod checkout={checkout} />
        </section>
        <PayPanel checkout={checkout} method={method} declined={decline} />
      </div>
    </div>
  )
}

/** Returns the last decline, so that it stays visible during the next attempt. */
function useLastDecline(checkout: Checkout | null) {
  const [lastDecline, setLast] = useState(() => (checkout?.payment.state === 'declined' ? checkout.payment : null))
  const payment = checkout?.payment
  if (payment?.state === 'declined' && payment !== lastDecline) setLast(payment)
  return payment?.state === 'declined' ? payment : lastDecline
}

function RetryHeader({ checkout, isDeclined }: { checkout: Checkout; isDeclined: boolean }) {
  const { form, own, payment } = checkout
  const { name } = getPlan(form.sku)
  const canChooseMethod = isDeclined && !isCheckoutLocked(checkout)
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
      <h1>{canChooseMethod ? 'Pay with another method' : `Paying for ${name}`}</h1>
      <p className="text-ink-2">
        {canChooseMethod && `You haven’t been charged${own ? `, and ${getPlan(own.sku).name} stays active` : ''}. `}
        Your selections are saved.{' '}
        {payment.state !== 'paying' && (
          <button type="button" className="text-action" onClick={showMethodList}>
            Show all payment methods
          </button>
        )}
      </p>
    </>
  )
}

interface MethodChoiceProps {
  method: PaymentMethod
  isChosen: boolean
  isDeclined: boolean
  onChoose: () => void
  children: React.ReactNode
}

function MethodChoice({ method, isChosen, isDeclined, onChoose, children }: MethodChoiceProps) {
  const hasExpired = method.state === 'ended'
  return (
    <>
      <Choice
        name="method"
        checked={isChosen}
        isDeclined={isDeclined}
        isUnavailable={hasExpired}
        onChange={onChoose}
        mark={<CardMark brand={method.brand} />}
        title={methodName(method)}
        note={hasExpired ? 'Expired.' : methodDetail(method)}
        end={isDeclined && <DeclinedBadge />}
        describedBy={isDeclined ? 'refusal' : undefined}
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
      {isBusy ? 'Opening…' : 'Add a card or wallet'}
    </button>
  )
}
