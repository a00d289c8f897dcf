import { useStore } from '@nanostores/react'
import { type ComponentType, useEffect, useState } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { $isPageHydrated } from '../../stores/shell/search-dialog.ts'
import './search-entry.css'

/**
 * Search, for any page that mounts it. Loads only after the page's own island has hydrated: reading the URL earlier
 * would change the state that the island renders, and it would not match the document.
 */
export default function Search() {
  const [Door, show] = useState<ComponentType | null>(null)
  const isPageHydrated = useStore($isPageHydrated, { ssr: 'initial' })
  useEffect(() => {
    if (isPageHydrated)
      void loadWithRetry(() => import('./parts/SearchEntry.tsx')).then((loaded) => show(() => loaded.SearchLauncher))
  }, [isPageHydrated])
  return <div className="contents">{Door && <Door />}</div>
}
