import { useStore } from '@nanostores/react'
import { type ComponentType, useEffect, useState } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { $isPageHydrated } from '../../stores/shell/search-dialog.ts'
import './search-entry.css'

/**
 * The search, on any page that mounts it. It reads the address only after the page's own island has hydrated: that island
 * renders what the address names, and would not match the document.
 */
export default function Search() {
  const [Door, show] = useState<ComponentType | null>(null)
  const isPageHydrated = useStore($isPageHydrated, { ssr: 'initial' })
  useEffect(() => {
    if (isPageHydrated)
      void loadWithRetry(() => import('./parts/SearchEntry.tsx')).then((loaded) => show(() => loaded.Door))
  }, [isPageHydrated])
  return <div className="contents">{Door && <Door />}</div>
}
