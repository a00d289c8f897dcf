import { useSyncExternalStore } from 'react'

/** Created only once, because each call of `matchMedia` forces a layout. */
let dark: MediaQueryList | undefined
const query = () => (dark ??= matchMedia('(prefers-color-scheme: dark)'))

function subscribe(listener: () => void): () => void {
  query().addEventListener('change', listener)
  return () => query().removeEventListener('change', listener)
}

/** Returns true in dark mode. For canvases, because CSS cannot style their content. */
export function useIsDark(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => query().matches,
    () => false,
  )
}
