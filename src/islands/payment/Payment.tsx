import { lazy, Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx'
import '../../styles/forms.css'
import './payment.css'

/** Asked for at once, while React is on its way. */
const panels = loadWithRetry(() => import('./parts/page-chunk.ts'))
const PaymentPage = lazy(() => panels.then(({ PaymentPage }) => ({ default: PaymentPage })))

/** `/account/payment` and every path with /payment: what pays, what it pays next, and another method for a charge that failed. */
export default function Payment() {
  return (
    <Suspense fallback={<Waiting />}>
      <PaymentPage />
    </Suspense>
  )
}

function Waiting() {
  return (
    <div className="payment-grid">
      <section className="card methods-panel" aria-label="How you pay">
        <h2>How you pay</h2>
        <RowsSkeleton rows={2} label="Loading how you pay" />
      </section>
    </div>
  )
}
