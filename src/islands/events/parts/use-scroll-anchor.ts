import { type RefObject, useLayoutEffect, useRef } from 'react'
import { type DayBlock, findEventAt, findEventTop } from './list-layout.ts'

/** Returns the height of the sticky part above the list, CSS pixels (events.css). */
export const getStickyHeight = (scroller: Element): number =>
  parseFloat(getComputedStyle(scroller).getPropertyValue('--stuck'))

/** Maximum scroll distance from the top, CSS pixels, at which the list does not compensate for new events. */
const TOP_ZONE_PX = 24

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

  useLayoutEffect(() => {
    const element = scroller.current
    const before = last.current
    last.current = { blocks, question: filterKey }
    if (!element || before.blocks === blocks) return
    if (before.question !== filterKey) {
      element.scrollTo({ top: Math.min(element.scrollTop, listOffsetPx - getStickyHeight(element)) })
      return
    }
    const top = element.scrollTop - listOffsetPx
    if (top < TOP_ZONE_PX) return
    const anchor = findEventAt(before.blocks, top)
    if (!anchor) return
    const oldTop = findEventTop(before.blocks, anchor.event_id)
    const newTop = findEventTop(blocks, anchor.event_id)
    if (oldTop !== null && newTop !== null) element.scrollBy({ top: newTop - oldTop })
  }, [scroller, blocks, listOffsetPx, filterKey])
}
