import { useSyncExternalStore } from 'react'

/** A hook that answers whether the window is so; null where the page was prerendered. */
function media(query: string): () => boolean | null {
  /** Asked once: every new question makes the browser lay out the page. */
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

/** Whether the page has one column, where a clip has a page of its own. */
export const useIsPhone = media('(width<768px)')

/** Whether there is a column beside the list. */
export const useIsWide = media('(width>=1024px)')
