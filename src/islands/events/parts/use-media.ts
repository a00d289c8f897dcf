import { useSyncExternalStore } from 'react'

/** Asked once: every new question makes the browser lay out the page. */
let phone: MediaQueryList | undefined
const query = () => (phone ??= matchMedia('(width < 768px)'))

function subscribe(listener: () => void): () => void {
  query().addEventListener('change', listener)
  return () => query().removeEventListener('change', listener)
}

/** Whether the page has one column, where a clip has a page of its own; null where the page was prerendered. */
export function useIsPhone(): boolean | null {
  return useSyncExternalStore(
    subscribe,
    () => query().matches,
    () => null,
  )
}
