import { atom } from 'nanostores'
import { RESIZE_DEBOUNCE_MS } from '../../../contract/wire/constants.ts'
import { isMobile, isSmallViewport } from '../../domain/browser/viewport.ts'

export interface Viewport {
  readonly isMobile: boolean
  readonly isSmall: boolean
}

/** Size class of the window (LAYOUT-10, LAYOUT-11). */
export const $viewport = atom<Viewport>({ isMobile: false, isSmall: false })

/**
 * Updates `$viewport` now, and 166 ms after the last of several resize events. Returns a function that stops the
 * updates.
 */
export function watchViewport(): () => void {
  let timer: ReturnType<typeof setTimeout>
  const updateViewport = () =>
    $viewport.set({ isMobile: isMobile(navigator.userAgent, innerWidth), isSmall: isSmallViewport(innerWidth) })
  const scheduleUpdate = () => {
    clearTimeout(timer)
    timer = setTimeout(updateViewport, RESIZE_DEBOUNCE_MS)
  }
  updateViewport()
  addEventListener('resize', scheduleUpdate)
  return () => {
    clearTimeout(timer)
    removeEventListener('resize', scheduleUpdate)
  }
}
