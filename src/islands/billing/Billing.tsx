import { Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { createLazyComponent } from '../../ui/lazy-component.tsx'
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx'
import '../../styles/forms.css'
import '../../styles/rows.css'
import './billing.css'

/** Starts loading the page code while React itself is still loading. */
const pageChunk = loadWithRetry(() => import('./parts/page-chunk.ts'))
const BillingPage = createLazyComponent(async () => (await pageChunk).BillingPage)

/** `/account/billing`: invoices and the statement. */
export default function Billing() {
  return (
    <Suspense fallback={<BillingSkeleton />}>
      <BillingPage />
    </Suspense>
  )
}

function BillingSkeleton() {
  return (
    <section className="bills" aria-label="Invoices" aria-busy="true">
      <header className="bills-head">
        <h2>Invoices</h2>
      </header>
      <div className="card bills-waiting">
        <RowsSkeleton rows={5} label="Loading your invoices" />
      </div>
    </section>
  )
}
