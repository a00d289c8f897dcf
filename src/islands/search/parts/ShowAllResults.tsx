import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { showAllLabel } from '../../../domain/copy/search-results.ts'
import { $searchSettings, changeSearchSettings } from '../../../stores/search/search-settings.ts'
import { $isLoadingMore, type FoundSearch, loadMoreResults } from '../../../stores/search/search.ts'

/**
 * Button that loads the next results. After the first press, more results also load each time the end of the list comes
 * into view. Hidden once all results have loaded.
 */
export function ShowAllResults({ search }: { search: FoundSearch }) {
  const { showAll } = useStore($searchSettings)
  const isLoading = useStore($isLoadingMore)
  const button = useRef<HTMLButtonElement>(null)
  const hasMore = search.nextOffset !== null
  useLoadAtEnd(showAll && hasMore, search.answer.events.length)
  useFocusHeadingWhenDone(button, hasMore)
  if (!hasMore) return null
  return (
    <button
      ref={button}
      type="button"
      className="btn btn-sm btn-soft"
      aria-busy={isLoading || undefined}
      onClick={() => {
        changeSearchSettings({ showAll: true })
        void loadMoreResults()
      }}
    >
      {isLoading && <span className="spinner" aria-hidden />}
      {showAllLabel(search.answer.total)}
    </button>
  )
}

/** Distance below the visible part at which the next results load. */
const LOAD_AHEAD = '600px'

/** Loads the next results each time the last result comes near the visible part. */
function useLoadAtEnd(isOn: boolean, count: number): void {
  useEffect(() => {
    const last = document.querySelector('.search-results > li:last-child')
    if (!isOn || !last) return
    const options = { root: document.querySelector('.search-dialog'), rootMargin: `0px 0px ${LOAD_AHEAD} 0px` }
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void loadMoreResults(), options)
    observer.observe(last)
    return () => observer.disconnect()
  }, [isOn, count])
}

/** Moves the focus from the button to the heading when the last results have loaded and the button disappears. */
function useFocusHeadingWhenDone(button: React.RefObject<HTMLButtonElement | null>, hasMore: boolean): void {
  const hadFocus = useRef(false)
  useEffect(() => {
    const onFocus = () => (hadFocus.current = document.activeElement === button.current && button.current !== null)
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [button])
  useEffect(() => {
    if (hasMore || !hadFocus.current) return
    hadFocus.current = false
    document.querySelector<HTMLElement>('.search-coverage h2')?.focus({ preventScroll: true })
  }, [hasMore])
}
