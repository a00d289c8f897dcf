import { type RefObject, useCallback, useDeferredValue, useState, useSyncExternalStore } from 'react'
import { EVENT_HEIGHT_PX } from './list-layout.ts'
import { recordScroll } from './scroll-velocity.ts'

/** Height rendered above and below the visible area, enough for a fast swipe. */
const OVERSCAN_PX = 5 * EVENT_HEIGHT_PX

/** First visible row and number of visible rows. Cached, because measuring on each render would force a layout. */
interface RowRange {
  first: number
  count: number
}

const getFirstVisibleRow = (element: HTMLElement | null) => Math.floor((element?.scrollTop ?? 0) / EVENT_HEIGHT_PX)
const countVisibleRows = (element: HTMLElement | null) => Math.ceil((element?.clientHeight ?? 0) / EVENT_HEIGHT_PX) + 1

function watchVisibleRows(
  { current: element }: RefObject<HTMLElement | null>,
  rows: RowRange,
  listener: () => void,
): () => void {
  if (!element) return () => undefined
  const observer = new ResizeObserver(() => {
    rows.first = getFirstVisibleRow(element)
    rows.count = countVisibleRows(element)
    listener()
  })
  observer.observe(element)
  const onScroll = ({ timeStamp }: Event) => {
    rows.first = getFirstVisibleRow(element)
    recordScroll(element.scrollTop, timeStamp)
    listener()
  }
  element.addEventListener('scroll', onScroll, { passive: true })
  return () => {
    observer.disconnect()
    element.removeEventListener('scroll', onScroll)
  }
}

/**
 * Returns the vertical range to render, in CSS pixels from the top of the scrolled content, in steps of one row. Uses
 * an external store, so that React renders in the same frame. After `filterKey` changes, the visible rows render first.
 */
export function useScrollWindow(
  scroller: RefObject<HTMLElement | null>,
  filterKey: string,
): { top: number; bottom: number } {
  const [rows] = useState<RowRange>(() => ({
    first: getFirstVisibleRow(scroller.current),
    count: countVisibleRows(scroller.current),
  }))
  const subscribe = useCallback((listener: () => void) => watchVisibleRows(scroller, rows, listener), [scroller, rows])
  const first = useSyncExternalStore(
    subscribe,
    () => rows.first,
    () => 0,
  )
  const count = useSyncExternalStore(
    subscribe,
    () => rows.count,
    () => 0,
  )
  const overscan = useDeferredValue(filterKey, '') === filterKey ? OVERSCAN_PX : 0
  return { top: first * EVENT_HEIGHT_PX - overscan, bottom: (first + count) * EVENT_HEIGHT_PX + overscan }
}
