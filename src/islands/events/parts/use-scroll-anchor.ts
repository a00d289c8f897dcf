import { type RefObject, useLayoutEffect, useRef } from 'react'
import { type DayBlock, eventAt, findEventTop } from './list-layout.ts'

/** Returns the height of the sticky part above the list, CSS pixels (events.css). */
export const stickyHeight = (scroller: Element): number =>
  parseFloat(getComputedStyle(scroller).getPropertyValue('--stuck'))

/** Maximum scroll distance from the top, CSS pixels, at which the list does not compensate for new events. */
const AT_TOP = 24

/**
 * Keeps the visible events in position when new events arrive above them; a list at its top shows the newest event.
 * `question` changes with the filter, and the list then scrolls to its start.
 */
export function useKeptPlace(
  scroller: RefObject<HTMLElement | null>,
  blocks: readonly DayBlock[],
  margin: number,
  question: string,
) {
  const last = useRef({ blocks, question })

  useLayoutEffect(() => {
    const element = scroller.current
    const before = last.current
    last.current = { blocks, question }
    if (!element || before.blocks === blocks) return
    if (before.question !== question) {
      element.scrollTo({ top: Math.min(element.scrollTop, margin - stickyHeight(element)) })
      return
    }
    const top = element.scrollTop - margin
    if (top < AT_TOP) return
    const anchor = eventAt(before.blocks, top)
    if (!anchor) return
    const was = findEventTop(before.blocks, anchor.event_id)
    const is = findEventTop(blocks, anchor.event_id)
    if (was !== null && is !== null) element.scrollBy({ top: is - was })
  }, [scroller, blocks, margin, question])
}
