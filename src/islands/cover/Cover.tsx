import { Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { createLazyComponent } from '../../ui/lazy-component.tsx'
import '../../styles/forms.css'
import '../../styles/switch.css'
import './cover.css'

/** Starts loading the page code while React itself is still loading. */
const pageChunk = loadWithRetry(() => import('./parts/page-chunk.ts'))
const CoverPage = createLazyComponent(async () => (await pageChunk).CoverPage)

/** `/account/services/cover?plan=`: assigns the licenses of a plan to cameras. */
export default function Cover() {
  return (
    <Suspense fallback={<h1>Assign licenses</h1>}>
      <CoverPage />
    </Suspense>
  )
}
