import { useStore } from '@nanostores/react'
import { type ComponentType, useEffect, useState } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { $isPageHydrated } from '../../stores/shell/search-dialog.ts'
import './search-entry.css'

/**
 * Search, on any page that mounts it. Reads the URL only after the page's own island has hydrated: that island renders
 * the URL's state, and would not match the document.
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
