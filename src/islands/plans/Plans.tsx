import { Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { createLazyComponent } from '../../ui/lazy-component.tsx'
import '../../styles/forms.css'
import './plans.css'

/** Starts loading the page code while React itself is still loading. The document has already requested the data. */
const pageChunk = loadWithRetry(() => import('./parts/page-chunk.ts'))
const PlansPage = createLazyComponent(async () => (await pageChunk).PlansPage)

/**
 * `/account/products/choose`: the price of each plan, and how many of the home's recent clips the plan would have kept.
 */
export default function Plans() {
  return (
    <Suspense fallback={<PlansSkeleton />}>
      <PlansPage />
    </Suspense>
  )
}

function PlansSkeleton() {
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
