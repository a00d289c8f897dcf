import { lazy, Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import '../../styles/forms.css'
import './plans.css'

/** Asked for at once: the document has asked for its data already, and React is on its way. */
const parts = loadWithRetry(() => import('./parts/page-chunk.ts'))
const PlansPage = lazy(() => parts.then(({ PlansPage }) => ({ default: PlansPage })))

/** `/account/products/choose`: what each plan costs, beside what it would have kept of the home's own last days. */
export default function Plans() {
  return (
    <Suspense fallback={<Waiting />}>
      <PlansPage />
    </Suspense>
  )
}

function Waiting() {
  return (
    <>
      <div className="plans-head">
        <div>
          <h1>Choose a plan</h1>
          <p className="text-ink-2 mt-1">
            Each price below is shown with what it would have kept of your own last 30 days.
          </p>
        </div>
      </div>
      <div className="plans-waiting skeleton" role="img" aria-label="Loading the plans" />
    </>
  )
}
