import { lazy, Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import '../../styles/forms.css'
import './redeem.css'

/** Asked for at once, while React is on its way. */
const panels = loadWithRetry(() => import('./parts/page-chunk.ts'))
const RedeemPage = lazy(() => panels.then(({ RedeemPage }) => ({ default: RedeemPage })))

/** `/account/redeem/choose`: what a coupon does, said before it is used, and using it. */
export default function Redeem() {
  return (
    <Suspense fallback={<section className="card redeem-form redeem-waiting" aria-label="Use a coupon" />}>
      <RedeemPage />
    </Suspense>
  )
}
