import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { handleCardReturn } from '../../../stores/billing/card-page-return.ts'
import { $checkout, restoreCheckout } from '../../../stores/billing/checkout.ts'
import { $paymentMethods, loadPaymentMethods } from '../../../stores/billing/payment-methods.ts'
import { $subscriptions, loadSubscriptions } from '../../../stores/billing/subscriptions.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { AddressPanel } from './AddressPanel.tsx'
import { MethodsPanel } from './MethodsPanel.tsx'
import { UpcomingCharges } from './UpcomingCharges.tsx'
import { RetryPayment } from './RetryPayment.tsx'

const RECENT_DECLINE_MS = 10_000

/**
 * Restores a purchase of this tab, and handles the return from the card page. If another page opened the card page,
 * redirects to that page; else loads the payment methods.
 */
async function handleArrival(): Promise<void> {
  restoreCheckout()
  void loadSubscriptions()
  const payment = $checkout.get()?.payment
  // Shows the decline again, because its toast disappeared with the previous page. `timeOrigin` excludes the time that
  // this page took to load.
  if (payment?.state === 'declined' && performance.timeOrigin - payment.at < RECENT_DECLINE_MS)
    showToast('error', payment.text)
  const next = await handleCardReturn()
  if (next !== null) return location.replace(next)
  if (!$paymentMethods.get().isLoaded) await loadPaymentMethods()
}

let arrivalPromise: Promise<void> | null = null

export function PaymentPage() {
  const { isLoaded, failure } = useStore($paymentMethods, { ssr: 'initial' })
  const state = useStore($checkout, { ssr: 'initial' })?.payment.state
  // The subscriptions say if a charge is unpaid.
  const isPlanLoading = useStore($subscriptions, { ssr: 'initial' }).state === 'loading'
  useEffect(() => void (arrivalPromise ??= handleArrival()), [])
  useEffect(() => {
    if (state === 'done') location.replace('/account/products/bought')
  }, [state])
  const isPaying = state !== undefined && state !== 'idle'
  if (isPaying && isLoaded) return <RetryPayment />
  if (isLoaded && !isPlanLoading)
    return (
      <div className="payment-grid">
        <MethodsPanel />
        <aside>
          <UpcomingCharges />
          <AddressPanel />
        </aside>
      </div>
    )
  return (
    <section className="card methods-panel" aria-labelledby="methods-title">
      <h2 id="methods-title">Payment methods</h2>
      {failure ? (
        <LoadError
          title="We couldn’t load your payment methods"
          text={failure.text}
          onRetry={() => void loadPaymentMethods()}
        />
      ) : (
        <RowsSkeleton rows={2} label="Loading payment methods" />
      )}
    </section>
  )
}
