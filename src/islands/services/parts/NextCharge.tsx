import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { DEFAULT_TAX_BASIS_POINTS } from '../../../../contract/billing/money.ts'
import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { methodName } from '../../../domain/copy/payment-methods.ts'
import { $amountDue, loadAmountDue } from '../../../stores/billing/amount-due.ts'
import { $catalog, loadCatalog } from '../../../stores/billing/plan-catalog.ts'
import { $subscriptions } from '../../../stores/billing/subscriptions.ts'
import { $paymentMethods } from '../../../stores/billing/payment-methods.ts'
import { $selectedPayment } from '../../../stores/billing/selected-payment-method.ts'
import { $unpaidReturn } from '../../../stores/billing/unpaid-charge.ts'
import { CardMark } from '../../../ui/CardMark.tsx'
import { AmountDuePanel, NextChargePanel } from '../../../ui/ChargePanels.tsx'
import { NextChargeSkeleton } from '../ServicesSkeleton.tsx'

/** Returns the method that was just saved for the failed charge; undefined if there is none. */
function useAddedMethod(): PaymentMethod | undefined {
  const { methods } = useStore($paymentMethods)
  const selected = useStore($selectedPayment)
  const isReturn = useStore($unpaidReturn) !== null
  return isReturn ? methods.find(({ method_id }) => method_id === selected?.id) : undefined
}

function AddedMethod() {
  const added = useAddedMethod()
  if (!added) return null
  return (
    <div className="next-method">
      <CardMark brand={added.brand} />
      <span className="row-text">
        <b>{methodName(added)}</b>
        <small className="method-added">Just added</small>
      </span>
    </div>
  )
}

/** Next charge or, after a declined charge, the amount due. */
export function NextCharge() {
  const { isLoaded, methods, upcoming, balance } = useStore($paymentMethods)
  const [openedAt] = useState(Date.now)
  const catalog = useStore($catalog)
  const subs = useStore($subscriptions)
  const due = useStore($amountDue)
  useEffect(() => {
    void loadCatalog()
    void loadAmountDue()
  }, [])
  const subscriptions = subs.state === 'ready' ? subs.subscriptions : []
  const now = openedAt + Math.max(0, ...subscriptions.map(({ clock }) => clock))
  if (due?.isLoading || (!due && !isLoaded && subscriptions.some((subscription) => subscription.next)))
    return <NextChargeSkeleton />
  if (due)
    return (
      <AmountDuePanel open={due.open} invoice={due.invoice} now={now} className="next-charge">
        <AddedMethod />
      </AmountDuePanel>
    )
  const [next] = upcoming.toSorted((charge, other) => charge.at - other.at)
  if (!next) return null
  const taxBasisPoints = catalog.state === 'ready' ? catalog.tax_basis_points : DEFAULT_TAX_BASIS_POINTS
  return (
    <NextChargePanel
      next={next}
      methods={methods}
      balance={balance}
      taxBasisPoints={taxBasisPoints}
      now={now}
      className="next-charge"
    />
  )
}
