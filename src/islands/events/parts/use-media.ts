import { useSyncExternalStore } from 'react'

const PHONE = '(width < 768px)'

function subscribe(listener: () => void): () => void {
  const query = matchMedia(PHONE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the page has one column, where a clip has a page of its own; null where the page was prerendered. */
export function useIsPhone(): boolean | null {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(PHONE).matches,
    () => null,
  )
}
