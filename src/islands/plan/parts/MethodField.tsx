import { useStore } from '@nanostores/react'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { methodDetail, methodName } from '../../../domain/copy/payment-methods.ts'
import { getShownQuote, type Checkout } from '../../../stores/billing/checkout.ts'
import { choosePaymentMethod } from '../../../stores/billing/choose-payment-method.ts'
import { $paymentMethods, loadPaymentMethods, navigateToCardPage } from '../../../stores/billing/payment-methods.ts'
import { Button } from '../../../ui/Button.tsx'
import { CardMark } from '../../../ui/CardMark.tsx'
import { Choice, Choices } from '../../../ui/Choice.tsx'
import { InlineError } from '../../../ui/InlineError.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { getFieldId } from './missing-fields.ts'

/**
 * Field with the chosen payment method and a button that changes it. If no method is chosen, shows a button that adds a
 * card or wallet.
 */
export function MethodField({ checkout }: { checkout: Checkout }) {
  const { methods, isLoaded, failure } = useStore($paymentMethods)
  const [isOpen, setIsOpen] = useState(false)
  const currentMethod = methods.find(({ method_id }) => method_id === checkout.form.methodId)
  return (
    <div id={getFieldId('payment')} className="plan-method">
      {!isLoaded && !failure && (
        <div className="skeleton plan-method-box" aria-label="Loading payment methods" role="img" />
      )}
      {failure && !isLoaded && (
        <>
          <InlineError failure={failure} />
          <Button kind="outline" size="sm" onClick={() => void loadPaymentMethods()}>
            Try again
          </Button>
        </>
      )}
      {isLoaded && currentMethod && !isOpen && <CurrentMethod method={currentMethod} open={() => setIsOpen(true)} />}
      {isLoaded && currentMethod && isOpen && (
        <MethodChoices methods={methods} currentMethod={currentMethod} close={() => setIsOpen(false)} />
      )}
      {isLoaded && !currentMethod && <AddMethod isFirst={methods.length === 0} />}
      {getShownQuote()?.due === 0 && <small className="field-hint">Nothing is due today.</small>}
    </div>
  )
}

function CurrentMethod({ method, open }: { method: PaymentMethod; open: () => void }) {
  return (
    <>
      <div className="plan-method-box">
        <CardMark brand={method.brand} />
        <span>{methodName(method)}</span>
        <button type="button" className="text-action" onClick={open}>
          Change
        </button>
      </div>
      <small className="field-hint">{methodDetail(method)}</small>
    </>
  )
}

interface MethodChoicesProps {
  methods: readonly PaymentMethod[]
  currentMethod: PaymentMethod
  close: () => void
}

function MethodChoices({ methods, currentMethod, close }: MethodChoicesProps) {
  return (
    <>
      <Choices legend="Payment method" isLegendHidden>
        {methods.map((method) => (
          <Choice
            key={method.method_id}
            name="method"
            checked={method === currentMethod}
            isUnavailable={method.state === 'ended'}
            onChange={() => (choosePaymentMethod(method.method_id), close())}
            mark={<CardMark brand={method.brand} />}
            title={methodName(method)}
            note={method.state === 'ended' ? 'Expired' : methodDetail(method)}
          />
        ))}
      </Choices>
      <AddMethod isFirst={false} />
    </>
  )
}

function AddMethod({ isFirst }: { isFirst: boolean }) {
  const { isBusy, run } = useAction()
  const add = () => run(() => navigateToCardPage(location.pathname, { quote: getShownQuote()?.quote }))
  return (
    <>
      <Button kind="outline" isBusy={isBusy} busyText="Opening…" onClick={() => void add()}>
        <Plus size={18} aria-hidden="true" />
        Add a card or wallet
      </Button>
      {isFirst && <small className="field-hint">You’ll return to this page afterward.</small>}
    </>
  )
}
