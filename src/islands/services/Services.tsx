import { lazy, Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx'
import '../../styles/forms.css'
import './services.css'

/** Starts to load immediately, while React is still loading. */
const panels = loadWithRetry(() => import('./parts/page-chunk.ts'))
const ServicesPage = lazy(() => panels.then(({ ServicesPage }) => ({ default: ServicesPage })))

/** `/account/services`: subscriptions, the cameras they cover, and the next charge. */
export default function Services() {
  return (
    <Suspense fallback={<Waiting />}>
      <ServicesPage />
    </Suspense>
  )
}

function Waiting() {
  return (
    <section className="services-list" aria-label="Services" aria-busy="true">
      <div className="card service-card">
        <RowsSkeleton rows={1} label="Loading your services" />
      </div>
    </section>
  )
}
