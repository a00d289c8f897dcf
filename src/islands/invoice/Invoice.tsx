import { Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { createLazyComponent } from '../../ui/lazy-component.tsx'
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx'
import '../../styles/rows.css'
import './invoice.css'

/** Starts loading the page code while React itself is still loading. */
const pageChunk = loadWithRetry(() => import('./parts/page-chunk.ts'))
const InvoicePage = createLazyComponent(async () => (await pageChunk).InvoicePage)

/** `/account/billing/invoice?bill=…`: one invoice, ready to print. */
export default function Invoice() {
  return (
    <Suspense fallback={<InvoiceSkeleton />}>
      <InvoicePage />
    </Suspense>
  )
}

function InvoiceSkeleton() {
  return (
    <div className="paper" aria-busy="true">
      <RowsSkeleton rows={4} label="Loading the invoice" />
    </div>
  )
}
