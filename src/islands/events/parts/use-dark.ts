import { useSyncExternalStore } from 'react'

const DARK = '(prefers-color-scheme: dark)'

function subscribe(listener: () => void): () => void {
  const query = matchMedia(DARK)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the page is dark, for what is painted instead of styled. */
export function useIsDark(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(DARK).matches,
    () => false,
  )
}
