import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { DEFAULT_TAX_BASIS_POINTS } from '../../../../contract/billing/money.ts'
import { $amountDue, loadAmountDue } from '../../../stores/billing/amount-due.ts'
import { $catalog, loadCatalog } from '../../../stores/billing/plan-catalog.ts'
import { $paymentMethods, loadPaymentMethods } from '../../../stores/billing/payment-methods.ts'
import { $subscriptions } from '../../../stores/billing/subscriptions.ts'
import { AmountDuePanel, NextChargePanel } from '../../../ui/ChargePanels.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'

const PANEL_CLASS = 'overview-panel next-charge'

/** Next charge or, after a declined charge, the amount due. */
export function NextCharge() {
  const { isLoaded, methods, upcoming, balance, failure } = useStore($paymentMethods)
  const catalog = useStore($catalog)
  const due = useStore($amountDue)
  const isPlanLoading = useStore($subscriptions).state === 'loading'
  const [now] = useState(Date.now)
  useEffect(() => {
    void loadPaymentMethods()
    void loadCatalog()
    void loadAmountDue()
  }, [])
  if (due && !due.isLoading)
    return <AmountDuePanel {...due} now={now + due.subscription.clock} className={PANEL_CLASS} />
  if (!isLoaded && failure && !due)
    return (
      <section className={`card ${PANEL_CLASS}`} aria-label="Next charge">
        <LoadError
          title="We couldn’t load the next charge"
          text={failure.text}
          onRetry={() => void loadPaymentMethods()}
        />
      </section>
    )
  if (!isLoaded || isPlanLoading || due)
    return (
      <section className={`card ${PANEL_CLASS}`} aria-label="Next charge" aria-busy="true">
        <RowsSkeleton rows={2} label="Loading the next charge" />
      </section>
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
      className={PANEL_CLASS}
    />
  )
}
