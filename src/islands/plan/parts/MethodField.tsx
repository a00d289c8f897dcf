import { useStore } from '@nanostores/react'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { methodFact, methodName } from '../../../domain/copy/payment-methods.ts'
import { shownQuote, type Checkout } from '../../../stores/billing/checkout.ts'
import { leaveForCard, payWith } from '../../../stores/billing/choose-payment-method.ts'
import { $payment, loadPaymentMethods } from '../../../stores/billing/payment-methods.ts'
import { Button } from '../../../ui/Button.tsx'
import { CardMark } from '../../../ui/CardMark.tsx'
import { Choice, Choices } from '../../../ui/Choice.tsx'
import { Problem } from '../../../ui/InlineError.tsx'
import { useAct } from '../../../ui/use-action.ts'
import { fieldId } from './missing-fields.ts'

/** Field with the current payment method and a choice of others. If there is none, a button adds one. */
export function MethodField({ checkout }: { checkout: Checkout }) {
  const { methods, isLoaded, failure } = useStore($payment)
  const [isOpen, setIsOpen] = useState(false)
  const used = methods.find(({ method_id }) => method_id === checkout.form.methodId)
  return (
    <div id={fieldId('payment')} className="plan-method">
      {!isLoaded && !failure && (
        <div className="skeleton plan-method-box" aria-label="Loading how you pay" role="img" />
      )}
      {failure && !isLoaded && (
        <>
          <Problem failure={failure} />
          <Button kind="outline" size="sm" onClick={() => void loadPaymentMethods()}>
            Try again
          </Button>
        </>
      )}
      {isLoaded && used && !isOpen && <Used method={used} open={() => setIsOpen(true)} />}
      {isLoaded && used && isOpen && <Others {...{ methods, used }} close={() => setIsOpen(false)} />}
      {isLoaded && !used && <AddMethod isFirst={methods.length === 0} />}
      {shownQuote()?.due === 0 && <small className="field-hint">Nothing is due today.</small>}
    </div>
  )
}

function Used({ method, open }: { method: PaymentMethod; open: () => void }) {
  return (
    <>
      <div className="plan-method-box">
        <CardMark brand={method.brand} />
        <span>{methodName(method)}</span>
        <button type="button" className="text-action" onClick={open}>
          Change
        </button>
      </div>
      <small className="field-hint">{methodFact(method)}</small>
    </>
  )
}

interface OthersProps {
  methods: readonly PaymentMethod[]
  used: PaymentMethod
  close: () => void
}

function Others({ methods, used, close }: OthersProps) {
  return (
    <>
      <Choices legend="What pays" isLegendHidden>
        {methods.map((method) => (
          <Choice
            key={method.method_id}
            name="method"
            checked={method === used}
            isOff={method.state === 'ended'}
            onChange={() => (payWith(method.method_id), close())}
            mark={<CardMark brand={method.brand} />}
            title={methodName(method)}
            note={method.state === 'ended' ? 'It has ended' : methodFact(method)}
          />
        ))}
      </Choices>
      <AddMethod isFirst={false} />
    </>
  )
}

/** Opens the card page, which returns here; the choices are kept. */
function AddMethod({ isFirst }: { isFirst: boolean }) {
  const { isBusy, run } = useAct()
  const add = () => run(() => leaveForCard(location.pathname, { quote: shownQuote()?.quote }))
  return (
    <>
      <Button kind="outline" isBusy={isBusy} busyText="Opening" onClick={() => void add()}>
        <Plus size={18} aria-hidden="true" />
        Add a card or wallet
      </Button>
      {isFirst && <small className="field-hint">You come back here, with all that you have chosen.</small>}
    </>
  )
}
