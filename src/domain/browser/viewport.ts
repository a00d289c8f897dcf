import { SMALL_VIEWPORT_PX } from '../../../contract/wire/constants.ts'

const MOBILE_AGENT = /Android|iPhone|iPod|Windows Phone|BlackBerry|webOS|Mobile/i

/** Widths under 700 px count as small (LAYOUT-11). */
export const isSmallViewport = (width: number): boolean => width < SMALL_VIEWPORT_PX

/** A mobile user agent that is not an iPad, in a small window (LAYOUT-10). */
export function isMobile(userAgent: string, width: number): boolean {
  return isSmallViewport(width) && MOBILE_AGENT.test(userAgent) && !/iPad/i.test(userAgent)
}
