import { useStore } from '@nanostores/react'
import { type ComponentType, useEffect, useState } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { $isPageHydrated } from '../../stores/shell/search-dialog.ts'
import './search-entry.css'

/**
 * Search of the page that contains this island. Loads after the page's own island has hydrated: reading the URL earlier
 * would change the state of that island and cause a hydration mismatch.
 */
export default function Search() {
  const [Launcher, setLauncher] = useState<ComponentType | null>(null)
  const isPageHydrated = useStore($isPageHydrated, { ssr: 'initial' })
  useEffect(() => {
    if (isPageHydrated)
      void loadWithRetry(() => import('./parts/SearchEntry.tsx')).then((loaded) =>
        setLauncher(() => loaded.SearchLauncher),
      )
  }, [isPageHydrated])
  return <div className="contents">{Launcher && <Launcher />}</div>
}
