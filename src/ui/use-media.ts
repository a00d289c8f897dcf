import { useSyncExternalStore } from 'react'

/** Creates a hook for a media query; the hook returns null in prerendered pages. */
function media(query: string): () => boolean | null {
  /** Created once: every new query forces the browser to lay out the page. */
  let list: MediaQueryList | undefined
  const getList = () => (list ??= matchMedia(query))
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

/** True on a narrow window: the page has one column, so that a clip opens on its own page. */
export const useIsPhone = media('(width<768px)')

/** True if there is a column beside the list. */
export const useIsWide = media('(width>=1024px)')
