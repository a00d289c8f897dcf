import { type RefObject, useCallback, useSyncExternalStore } from 'react'
import { EVENT_HEIGHT } from './rows.ts'
import { noteScroll } from './rush.ts'

/** Pixels above and below what can be seen that are in the document too: a fling does not outrun them. */
const OVERSCAN = 5 * EVENT_HEIGHT

function watch({ current: element }: RefObject<HTMLElement | null>, listener: () => void): () => void {
  if (!element) return () => undefined
  const observer = new ResizeObserver(listener)
  observer.observe(element)
  const onScroll = ({ timeStamp }: Event) => {
    noteScroll(element.scrollTop, timeStamp)
    listener()
  }
  element.addEventListener('scroll', onScroll, { passive: true })
  return () => {
    observer.disconnect()
    element.removeEventListener('scroll', onScroll)
  }
}

/**
 * The part of a scroller to draw, in pixels from its top, in steps of one row. An external store and not a state:
 * React then draws in the frame that scrolls.
 */
export function useScrollWindow(scroller: RefObject<HTMLElement | null>): { top: number; bottom: number } {
  const subscribe = useCallback((listener: () => void) => watch(scroller, listener), [scroller])
  const row = useSyncExternalStore(
    subscribe,
    () => Math.floor((scroller.current?.scrollTop ?? 0) / EVENT_HEIGHT),
    () => 0,
  )
  const rows = useSyncExternalStore(
    subscribe,
    () => Math.ceil((scroller.current?.clientHeight ?? 0) / EVENT_HEIGHT) + 1,
    () => 0,
  )
  return { top: row * EVENT_HEIGHT - OVERSCAN, bottom: (row + rows) * EVENT_HEIGHT + OVERSCAN }
}
