import { type RefObject, useCallback, useDeferredValue, useState, useSyncExternalStore } from 'react'
import { EVENT_HEIGHT_PX } from './list-layout.ts'
import { recordScroll } from './scroll-velocity.ts'

/** Height rendered above and below the visible area, enough for a fast swipe. */
const OVERSCAN_PX = 5 * EVENT_HEIGHT_PX

/** Visible part of the scrolled content, CSS pixels. Cached, because measuring on each render would force a layout. */
interface Viewport {
  top: number
  height: number
}

const measureViewport = (element: HTMLElement | null): Viewport => ({
  top: element?.scrollTop ?? 0,
  height: element?.clientHeight ?? 0,
})
const getFirstRow = ({ top }: Viewport) => Math.floor(top / EVENT_HEIGHT_PX)
const countRows = ({ height }: Viewport) => Math.ceil(height / EVENT_HEIGHT_PX) + 1

function watchViewport(
  { current: element }: RefObject<HTMLElement | null>,
  viewport: Viewport,
  listener: () => void,
): () => void {
  if (!element) return () => undefined
  const observer = new ResizeObserver(() => {
    Object.assign(viewport, measureViewport(element))
    listener()
  })
  observer.observe(element)
  const onScroll = ({ timeStamp }: Event) => {
    viewport.top = element.scrollTop
    recordScroll(element.scrollTop, timeStamp)
    listener()
  }
  element.addEventListener('scroll', onScroll, { passive: true })
  return () => {
    observer.disconnect()
    element.removeEventListener('scroll', onScroll)
  }
}

interface ScrollWindowOptions {
  readonly filterKey: string
  /** Height of the content above the list, inside the scroller, CSS pixels. */
  readonly listOffsetPx: number
  /** True while a dialog covers the list. */
  readonly isCovered: boolean
}

/**
 * Returns the vertical range to render, in CSS pixels from the top of the scrolled content, in steps of one row. Uses
 * an external store, so that React renders in the same frame. After `filterKey` changes, the visible rows render first,
 * or only one row if `isCovered` is true, and the others after the paint.
 */
export function useScrollWindow(
  scroller: RefObject<HTMLElement | null>,
  { filterKey, listOffsetPx, isCovered }: ScrollWindowOptions,
): { top: number; bottom: number } {
  const [viewport] = useState(() => measureViewport(scroller.current))
  const subscribe = useCallback(
    (listener: () => void) => watchViewport(scroller, viewport, listener),
    [scroller, viewport],
  )
  const first = useSyncExternalStore(
    subscribe,
    () => getFirstRow(viewport),
    () => 0,
  )
  const count = useSyncExternalStore(
    subscribe,
    () => countRows(viewport),
    () => 0,
  )
  if (useDeferredValue(filterKey, '') !== filterKey)
    return {
      top: viewport.top,
      bottom: isCovered ? Math.max(viewport.top, listOffsetPx) + 1 : viewport.top + viewport.height,
    }
  return {
    top: first * EVENT_HEIGHT_PX - OVERSCAN_PX,
    bottom: (first + count) * EVENT_HEIGHT_PX + OVERSCAN_PX,
  }
}
