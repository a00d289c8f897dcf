import { Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { createLazyComponent } from '../../ui/lazy-component.tsx'
import '../../styles/forms.css'
import './redeem.css'

/** Starts loading the page code while React itself is still loading. */
const pageChunk = loadWithRetry(() => import('./parts/page-chunk.ts'))
const RedeemPage = createLazyComponent(async () => (await pageChunk).RedeemPage)

/** `/account/redeem/choose`: shows the effect of a coupon before it is redeemed, and redeems it. */
export default function Redeem() {
  return (
    <Suspense fallback={<section className="card redeem-form redeem-waiting" aria-label="Redeem a coupon" />}>
      <RedeemPage />
    </Suspense>
  )
}
