import { lazy, Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import '../../styles/forms.css'
import './redeem.css'

/** Starts loading the page code while React itself is still loading. */
const pageChunk = loadWithRetry(() => import('./parts/page-chunk.ts'))
const RedeemPage = lazy(() => pageChunk.then(({ RedeemPage }) => ({ default: RedeemPage })))

/** `/account/redeem/choose`: shows the effect of a coupon before it is redeemed, and redeems it. */
export default function Redeem() {
  return (
    <Suspense fallback={<section className="card redeem-form redeem-waiting" aria-label="Use a coupon" />}>
      <RedeemPage />
    </Suspense>
  )
}
