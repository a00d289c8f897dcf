import { useSyncExternalStore } from 'react'

/** Asked once: every new question makes the browser lay out the page. */
let dark: MediaQueryList | undefined
const query = () => (dark ??= matchMedia('(prefers-color-scheme: dark)'))

function subscribe(listener: () => void): () => void {
  query().addEventListener('change', listener)
  return () => query().removeEventListener('change', listener)
}

/** Whether the page is dark, for what is painted instead of styled. */
export function useIsDark(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => query().matches,
    () => false,
  )
}
