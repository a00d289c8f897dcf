import { useSyncExternalStore } from 'react'

/** Created once: each new query forces a layout. */
let dark: MediaQueryList | undefined
const query = () => (dark ??= matchMedia('(prefers-color-scheme: dark)'))

function subscribe(listener: () => void): () => void {
  query().addEventListener('change', listener)
  return () => query().removeEventListener('change', listener)
}

/** Returns true in dark mode; for canvases, which CSS does not style. */
export function useIsDark(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => query().matches,
    () => false,
  )
}
