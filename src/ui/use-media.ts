import { useSyncExternalStore } from 'react'

/** Creates a hook for a media query; the hook returns null in prerendered pages. */
function createMediaHook(query: string): () => boolean | null {
  /** Media query list, created only once, because every new media query forces a layout of the page. */
  let mediaQueryList: MediaQueryList | undefined
  const getList = () => (mediaQueryList ??= matchMedia(query))
  const subscribe = (listener: () => void) => {
    getList().addEventListener('change', listener)
    return () => getList().removeEventListener('change', listener)
  }
  return () =>
    useSyncExternalStore(
      subscribe,
      () => getList().matches,
      () => null,
    )
}

/** True in a window below 768 px. The page then has one column, and an open clip covers the event list. */
export const useIsPhone = createMediaHook('(width<768px)')

/** True if the window has room for a column beside the list. */
export const useIsWide = createMediaHook('(width>=1024px)')
