import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { type DayBlock, findEventAt, findEventTop } from './list-layout.ts'

/** Returns the height of the sticky part above the list, CSS pixels (events.css). */
export const getStickyHeight = (scroller: Element): number =>
  parseFloat(getComputedStyle(scroller).getPropertyValue('--stuck'))

/** Maximum scroll distance from the top, CSS pixels, at which the list does not compensate for new events. */
export const TOP_ZONE_PX = 24

/** Returns the scroll position of the last frame. Reading the element's own one would force a layout. */
export function useScrollTop(scroller: RefObject<HTMLElement | null>): RefObject<number> {
  const scrollTop = useRef(0)
  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const read = () => void (scrollTop.current = element.scrollTop)
    const observer = new ResizeObserver(read)
    observer.observe(element)
    element.addEventListener('scroll', read, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', read)
    }
  }, [scroller])
  return scrollTop
}

/**
 * Keeps the visible events in position when new events arrive above them. A list at its top stays at its top. When the
 * filter changes, scrolls back to the start of the list.
 */
export function useScrollAnchor(
  scroller: RefObject<HTMLElement | null>,
  blocks: readonly DayBlock[],
  listOffsetPx: number,
  filterKey: string,
) {
  const last = useRef({ blocks, question: filterKey })
  const scrollTop = useScrollTop(scroller)

  useLayoutEffect(() => {
    const element = scroller.current
    const before = last.current
    last.current = { blocks, question: filterKey }
    if (!element || before.blocks === blocks) return
    if (before.question !== filterKey) {
      if (scrollTop.current === 0) return
      element.scrollTo({ top: Math.min(scrollTop.current, listOffsetPx - getStickyHeight(element)) })
      return
    }
    const top = scrollTop.current - listOffsetPx
    if (top < TOP_ZONE_PX) return
    const anchor = findEventAt(before.blocks, top)
    if (!anchor) return
    const oldTop = findEventTop(before.blocks, anchor.event_id)
    const newTop = findEventTop(blocks, anchor.event_id)
    if (oldTop !== null && newTop !== null) element.scrollBy({ top: newTop - oldTop })
  }, [scroller, scrollTop, blocks, listOffsetPx, filterKey])
}
