import { useStore } from '@nanostores/react'
import { $isPageHydrated } from '../../stores/shell/search-dialog.ts'
import { createDeferredComponent } from '../../ui/lazy-component.tsx'
import './search-entry.css'

const LazyLauncher = createDeferredComponent(async () => (await import('./parts/SearchEntry.tsx')).SearchLauncher)

/** Visible only if the URL contains a search (boot/early/inline-script.ts). */
const SKELETON = <div className="search-shell" data-early role="status" aria-label="Loading search" />

/**
 * Search of the page that contains this island. Loads after the page's own island has hydrated: reading the URL earlier
 * would change the state of that island and cause a hydration mismatch.
 */
export default function Search() {
  const isPageHydrated = useStore($isPageHydrated, { ssr: 'initial' })
  return <div className="contents">{isPageHydrated ? <LazyLauncher props={{}} fallback={SKELETON} /> : SKELETON}</div>
}
