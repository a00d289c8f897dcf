import { Suspense } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { createLazyComponent } from '../../ui/lazy-component.tsx'
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx'
import './activity.css'

/** Starts loading the page code while React itself is still loading. The document has already requested the data. */
const pageChunk = loadWithRetry(() => import('./parts/page-chunk.ts'))
const ActivityPanel = createLazyComponent(async () => (await pageChunk).ActivityPanel)
const SessionsPanel = createLazyComponent(async () => (await pageChunk).SessionsPanel)

/** `/account/activity`: activity log of the account and its homes, and its sessions. */
export default function Activity() {
  return (
    <>
      <Suspense fallback={<PanelSkeleton of="sessions-panel" title="Your devices" rows={2} />}>
        <SessionsPanel />
      </Suspense>
      <Suspense fallback={<PanelSkeleton of="activity-panel" title="Activity" rows={6} />}>
        <ActivityPanel />
      </Suspense>
    </>
  )
}

function PanelSkeleton({ of, title, rows }: { of: string; title: string; rows: number }) {
  return (
    <section className={`card ${of}`} aria-label={title}>
      <h2>{title}</h2>
      <RowsSkeleton rows={rows} label={`Loading: ${title}`} />
    </section>
  )
}
