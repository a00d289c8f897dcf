import { Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { createLazyComponent } from '../../ui/lazy-component.tsx'
import '../../styles/forms.css'
import './purchase-confirmation.css'

/** Starts loading the page code while React itself is still loading. */
const pageChunk = loadWithRetry(() => import('./parts/page-chunk.ts'))
const PurchaseConfirmationPage = createLazyComponent(async () => (await pageChunk).PurchaseConfirmationPage)

/** `/account/products/bought`: confirms a purchase and shows its effects. */
export default function PurchaseConfirmation() {
  return (
    <Suspense fallback={<p className="bought-waiting" role="status" aria-label="Loading" />}>
      <PurchaseConfirmationPage />
    </Suspense>
  )
}
