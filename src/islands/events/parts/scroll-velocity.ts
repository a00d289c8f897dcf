import { atom } from 'nanostores'

/** Scroll speed above which rows load no thumbnails, because loading would slow the scrolling. */
const FAST_SCROLL_PX_PER_MS = 1.5
/** Time after the last fast scroll event until the list no longer counts as scrolling fast. */
const FAST_SCROLL_END_MS = 120

export const $isScrollingFast = atom(false)

let lastScrollTop = 0
let lastScrollAt = 0
let fastScrollEndTimer: ReturnType<typeof setTimeout> | undefined

/**
 * Updates `$isScrollingFast` after a scroll event. `scrollTop`: scroll position in px; `now`: time of the event in ms.
 */
export function recordScroll(scrollTop: number, now: number): void {
  const speed = Math.abs(scrollTop - lastScrollTop) / (now - lastScrollAt)
  lastScrollTop = scrollTop
  lastScrollAt = now
  if (!(speed > FAST_SCROLL_PX_PER_MS)) return
  clearTimeout(fastScrollEndTimer)
  fastScrollEndTimer = setTimeout(() => $isScrollingFast.set(false), FAST_SCROLL_END_MS)
  $isScrollingFast.set(true)
}
