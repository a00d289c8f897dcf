import { useSyncExternalStore } from 'react'

/** Created only once, because each call of `matchMedia` forces a layout. */
let darkModeQuery: MediaQueryList | undefined
const getDarkModeQuery = () => (darkModeQuery ??= matchMedia('(prefers-color-scheme: dark)'))

function subscribeDarkMode(listener: () => void): () => void {
  getDarkModeQuery().addEventListener('change', listener)
  return () => getDarkModeQuery().removeEventListener('change', listener)
}

/** Returns true in dark mode. For canvases, because CSS cannot style their content. */
export function useIsDark(): boolean {
  return useSyncExternalStore(
    subscribeDarkMode,
    () => getDarkModeQuery().matches,
    () => false,
  )
}
