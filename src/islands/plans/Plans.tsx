import { Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { CHOOSER_SENTENCE } from '../../domain/copy/chooser-sentence.ts'
import { createLazyComponent } from '../../ui/lazy-component.tsx'
import { PlanCardsSkeleton, PlansHeading } from './PlansHeading.tsx'
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
      <PlansHeading sentence={CHOOSER_SENTENCE} />
      <PlanCardsSkeleton />
    </>
  )
}
