import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $isPageHydrated, holdSearchKey } from '../../stores/shell/search-dialog.ts'
import { createDeferredComponent } from '../../ui/lazy-component.tsx'
import './search-entry.css'

const LazyLauncher = createDeferredComponent(async () => (await import('./parts/SearchEntry.tsx')).SearchLauncher)

/**
 * Search of the page that contains this island. Loads after the page's own island has hydrated: reading the URL earlier
 * would change the state of that island and cause a hydration mismatch.
 */
export default function Search() {
  const isPageHydrated = useStore($isPageHydrated, { ssr: 'initial' })
  const isInUrl = isPageHydrated && new URLSearchParams(location.search).has('search')
  useEffect(holdSearchKey, [])
  return (
    <div className="contents">
      {isPageHydrated && (
        <LazyLauncher
          props={{}}
          fallback={isInUrl && <div className="search-shell" role="status" aria-label="Loading search" />}
        />
      )}
    </div>
  )
}
