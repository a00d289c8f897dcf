import { lazy, Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import '../../styles/forms.css'
import './purchase-confirmation.css'

/** Loads immediately, in parallel with React. */
const panels = loadWithRetry(() => import('./parts/page-chunk.ts'))
const BoughtPage = lazy(() => panels.then(({ BoughtPage }) => ({ default: BoughtPage })))

/** `/account/products/bought`: confirmation with the changes after a purchase. */
export default function Bought() {
  return (
    <Suspense fallback={<p className="bought-waiting" role="status" aria-label="Loading" />}>
      <BoughtPage />
    </Suspense>
  )
}
