import { atom } from 'nanostores'

/** Scroll speed, px/ms, above which rows load no thumbnails, because these would only slow the scrolling. */
const RUSH = 1.5
/** Time after the last fast step until scrolling counts as calm. */
const CALM_MS = 120

/** True while the list scrolls fast. */
export const $isRushing = atom(false)

let top = 0
let at = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Updates the scroll speed. `scrollTop` in px, `now` in ms. */
export function recordScroll(scrollTop: number, now: number): void {
  const speed = Math.abs(scrollTop - top) / (now - at)
  top = scrollTop
  at = now
  if (!(speed > RUSH)) return
  clearTimeout(timer)
  timer = setTimeout(() => $isRushing.set(false), CALM_MS)
  $isRushing.set(true)
}
