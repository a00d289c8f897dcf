import { lazy, Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import '../../styles/forms.css'
import './purchase-confirmation.css'

/** Starts loading the page code in parallel with React. */
const panels = loadWithRetry(() => import('./parts/page-chunk.ts'))
const BoughtPage = lazy(() => panels.then(({ BoughtPage }) => ({ default: BoughtPage })))

/** `/account/products/bought`: confirms a purchase and shows its effects. */
export default function Bought() {
  return (
    <Suspense fallback={<p className="bought-waiting" role="status" aria-label="Loading" />}>
      <BoughtPage />
    </Suspense>
  )
}
