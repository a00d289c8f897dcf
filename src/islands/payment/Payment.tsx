import { Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { createLazyComponent } from '../../ui/lazy-component.tsx'
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx'
import '../../styles/forms.css'
import './payment.css'

/** Starts loading the page code while React itself is still loading. */
const pageChunk = loadWithRetry(() => import('./parts/page-chunk.ts'))
const PaymentPage = createLazyComponent(async () => (await pageChunk).PaymentPage)

/**
 * `/account/payment` and all other paths that contain `/payment` (ROUTE-12): payment methods and next charges. If a
 * purchase of this tab is in progress, declined or failed, shows `RetryPayment` instead.
 */
export default function Payment() {
  return (
    <Suspense fallback={<PaymentSkeleton />}>
      <PaymentPage />
    </Suspense>
  )
}

function PaymentSkeleton() {
  return (
    <div className="payment-grid">
      <section className="card methods-panel" aria-label="Payment methods">
        <h2>Payment methods</h2>
        <RowsSkeleton rows={2} label="Loading payment methods" />
      </section>
    </div>
  )
}
