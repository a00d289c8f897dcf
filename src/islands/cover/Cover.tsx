import { lazy, Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import '../../styles/forms.css'
import '../../styles/switch.css'
import './cover.css'

/** Asked for at once, while React is on its way. */
const panels = loadWithRetry(() => import('./parts/page-chunk.ts'))
const CoverPage = lazy(() => panels.then(({ CoverPage }) => ({ default: CoverPage })))

/** `/account/services/cover?plan=`: which cameras the licences of a plan cover. */
export default function Cover() {
  return (
    <Suspense fallback={<h1>Cover cameras</h1>}>
      <CoverPage />
    </Suspense>
  )
}
