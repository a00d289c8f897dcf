import { Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { createLazyComponent } from '../../ui/lazy-component.tsx'
import type { Sku } from '../../../contract/billing/skus.ts'
import '../../styles/forms.css'
import './plan.css'
import './plan-simulation.css'

/** Starts loading the page code while React itself is still loading. The document has already requested the data. */
const pageChunk = loadWithRetry(() => import('./parts/page-chunk.ts'))
const PlanPage = createLazyComponent(async () => (await pageChunk).PlanPage)

interface PlanProps {
  segment: string
  sku: Sku
  /** Placeholder title and sentence, shown until the account's subscriptions are known. */
  title: string
  sentence: string
}

/** `/account/products/{segment}`: choices for one plan with their exact price, and the buy button. */
export default function Plan(props: PlanProps) {
  return (
    <Suspense fallback={<PlanSkeleton {...props} />}>
      <PlanPage segment={props.segment} sku={props.sku} />
    </Suspense>
  )
}

function PlanSkeleton({ title, sentence }: PlanProps) {
  return (
    <>
      <h1>{title}</h1>
      <p className="text-ink-2 mt-1">{sentence}</p>
      <div className="plan-page">
        <section className="card plan-form plan-waiting" aria-label="Loading your choices" />
        <section className="card quote-panel plan-waiting" aria-label="Loading the price" />
      </div>
    </>
  )
}
