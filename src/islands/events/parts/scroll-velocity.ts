import { atom } from 'nanostores'

/** Faster than this, px/ms, rows pass by unseen: their pictures are not fetched, which would only hold up the scrolling. */
const RUSH = 1.5
/** So long after the last fast step the list stands still. */
const CALM_MS = 120

/** Whether the list rushes past. */
export const $isRushing = atom(false)

let top = 0
let at = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Takes note of where the list is scrolled to, px, at `now`, ms. */
export function recordScroll(scrollTop: number, now: number): void {
  const speed = Math.abs(scrollTop - top) / (now - at)
  top = scrollTop
  at = now
  if (!(speed > RUSH)) return
  clearTimeout(timer)
  timer = setTimeout(() => $isRushing.set(false), CALM_MS)
  $isRushing.set(true)
}
