import { lazy, Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx'
import '../../styles/rows.css'
import './invoice.css'

/** Asked for at once, while React is on its way. */
const panels = loadWithRetry(() => import('./parts/page-chunk.ts'))
const InvoicePage = lazy(() => panels.then(({ InvoicePage }) => ({ default: InvoicePage })))

/** `/account/billing/invoice?bill=…`: one bill, to be printed. */
export default function Invoice() {
  return (
    <Suspense fallback={<Waiting />}>
      <InvoicePage />
    </Suspense>
  )
}

function Waiting() {
  return (
    <div className="paper" aria-busy="true">
      <RowsSkeleton rows={4} label="Loading the bill" />
    </div>
  )
}
