import { Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { createLazyComponent } from '../../ui/lazy-component.tsx'
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx'
import '../../styles/forms.css'
import '../../styles/name-box.css'
import '../../styles/switch.css'
import './people.css'

/** Starts loading the page code while React itself is still loading. */
const pageChunk = loadWithRetry(() => import('./parts/page-chunk.ts'))
const PeoplePage = createLazyComponent(async () => (await pageChunk).PeoplePage)

/** `/account/people`: the people whom cameras recognize, and their names. */
export default function People() {
  return (
    <Suspense fallback={<PeopleSkeleton />}>
      <PeoplePage />
    </Suspense>
  )
}

function PeopleSkeleton() {
  return (
    <section aria-label="People" aria-busy="true">
      <h2>People</h2>
      <RowsSkeleton rows={4} label="Loading people" />
    </section>
  )
}
