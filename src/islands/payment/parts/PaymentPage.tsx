import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { handleCardReturn } from '../../../stores/billing/card-page-return.ts'
import { $checkout, restoreCheckout } from '../../../stores/billing/checkout.ts'
import { $payment, loadPaymentMethods } from '../../../stores/billing/payment-methods.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { AddressPanel } from './AddressPanel.tsx'
import { MethodsPanel } from './MethodsPanel.tsx'
import { NextPanel } from './UpcomingCharges.tsx'
import { PayAgain } from './RetryPayment.tsx'

const JUST_NOW_MS = 10_000

/**
 * Handles the result of the card page, once per visit. Returns to the page that opened the card page; otherwise, shows
 * the list.
 */
async function arrive(): Promise<void> {
  restoreCheckout()
  const payment = $checkout.get()?.payment
  // The toast disappeared with the previous page, so show it again. `timeOrigin`, because this page may have loaded
  // slowly.
  if (payment?.state === 'declined' && performance.timeOrigin - payment.at < JUST_NOW_MS)
    showToast('error', payment.text)
  const next = await handleCardReturn()
  if (next !== null) return location.replace(next)
  if (!$payment.get().isLoaded) await loadPaymentMethods()
}

let arriving: Promise<void> | null = null

export function PaymentPage() {
  const { isLoaded, failure } = useStore($payment, { ssr: 'initial' })
  const state = useStore($checkout, { ssr: 'initial' })?.payment.state
  useEffect(() => void (arriving ??= arrive()), [])
  useEffect(() => {
    if (state === 'done') location.replace('/account/products/bought')
  }, [state])
  const isPaying = state !== undefined && state !== 'idle'
  if (isPaying && isLoaded) return <PayAgain />
  if (isLoaded)
    return (
      <div className="payment-grid">
        <MethodsPanel />
        <aside>
          <NextPanel />
          <AddressPanel />
        </aside>
      </div>
    )
  return (
    <section className="card methods-panel" aria-labelledby="methods-title">
      <h2 id="methods-title">How you pay</h2>
      {failure ? (
        <LoadError
          title="Your payment methods could not be loaded"
          text={failure.text}
          again={() => void loadPaymentMethods()}
        />
      ) : (
        <RowsSkeleton rows={2} label="Loading how you pay" />
      )}
    </section>
  )
}
