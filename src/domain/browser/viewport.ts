import { SMALL_VIEWPORT_PX } from '../../../contract/wire/constants.ts'

const MOBILE_AGENT = /Android|iPhone|iPod|Windows Phone|BlackBerry|webOS|Mobile/i

/** True for widths under 700 px (LAYOUT-11). */
export const isSmallViewport = (width: number): boolean => width < SMALL_VIEWPORT_PX

/** True for a mobile user agent other than an iPad, in a small window (LAYOUT-10). */
export function isMobile(userAgent: string, width: number): boolean {
  return isSmallViewport(width) && MOBILE_AGENT.test(userAgent) && !/iPad/i.test(userAgent)
}
