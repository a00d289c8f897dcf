import { Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { createLazyComponent } from '../../ui/lazy-component.tsx'
import { NextChargeSkeleton, ServiceCardSkeleton } from './ServicesSkeleton.tsx'
import '../../styles/forms.css'
import '../../styles/charge-panels.css'
import './services.css'

/** Starts loading the page code while React itself is still loading. */
const pageChunk = loadWithRetry(() => import('./parts/page-chunk.ts'))
const ServicesPage = createLazyComponent(async () => (await pageChunk).ServicesPage)

/** `/account/services`: subscriptions, the cameras they cover, and the next charge. */
export default function Services() {
  return (
    <Suspense fallback={<ServicesSkeleton />}>
      <ServicesPage />
    </Suspense>
  )
}

function ServicesSkeleton() {
  return (
    <>
      <section className="services-list" aria-label="Services" aria-busy="true">
        <ServiceCardSkeleton />
      </section>
      <NextChargeSkeleton />
    </>
  )
}
