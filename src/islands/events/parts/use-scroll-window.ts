import { type RefObject, useCallback, useDeferredValue, useState, useSyncExternalStore } from 'react'
import { EVENT_HEIGHT } from './list-layout.ts'
import { recordScroll } from './scroll-velocity.ts'

/** Pixels that are rendered above and below the visible area, enough for a fling. */
const OVERSCAN = 5 * EVENT_HEIGHT

/** First visible row and number of rows. Cached, because measuring on each render would force a layout. */
interface Rows {
  first: number
  count: number
}

const firstRow = (element: HTMLElement | null) => Math.floor((element?.scrollTop ?? 0) / EVENT_HEIGHT)
const rowCount = (element: HTMLElement | null) => Math.ceil((element?.clientHeight ?? 0) / EVENT_HEIGHT) + 1

function watch({ current: element }: RefObject<HTMLElement | null>, rows: Rows, listener: () => void): () => void {
  if (!element) return () => undefined
  const observer = new ResizeObserver(() => {
    rows.first = firstRow(element)
    rows.count = rowCount(element)
    listener()
  })
  observer.observe(element)
  const onScroll = ({ timeStamp }: Event) => {
    rows.first = firstRow(element)
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
 * Returns the range of the list to render, in pixels from its top, in steps of one row. Uses an external store, so that
 * React renders in the same frame. After `question` changes, the visible rows render first.
 */
export function useScrollWindow(
  scroller: RefObject<HTMLElement | null>,
  question: string,
): { top: number; bottom: number } {
  const [rows] = useState<Rows>(() => ({ first: firstRow(scroller.current), count: rowCount(scroller.current) }))
  const subscribe = useCallback((listener: () => void) => watch(scroller, rows, listener), [scroller, rows])
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
  const overscan = useDeferredValue(question, '') === question ? OVERSCAN : 0
  return { top: first * EVENT_HEIGHT - overscan, bottom: (first + count) * EVENT_HEIGHT + overscan }
}
