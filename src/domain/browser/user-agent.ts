/** Browser codes (BROWSER-01 to 05): Chrome 1, Safari 2, Edge 3, Firefox 4, other 5. */
export type BrowserCode = 1 | 2 | 3 | 4 | 5
/** System codes (BROWSER-06 to 10): Windows 1, Mac 2, iOS 3, Android 4, other 5. */
export type SystemCode = 1 | 2 | 3 | 4 | 5

/** Chrome-based browsers that count as "other" (OPEN-115). */
const OTHER_CHROMIUM_BROWSERS =
  /OPR\/|OPiOS\/|Opera|Vivaldi|SamsungBrowser|YaBrowser|Brave|UCBrowser|DuckDuckGo|Ddg\/|Whale\/|Electron\//
const FIREFOX = /Firefox\/|FxiOS\//
const EDGE = /Edg\/|EdgA\/|EdgiOS\/|Edge\//
const CHROME = /Chrome\/|Chromium\/|CriOS\//

/**
 * Returns the browser code. Tests Edge before Chrome, because the user agent of Edge contains both names. Chrome on iOS
 * counts as Chrome (OPEN-115).
 */
export function browserCode(userAgent: string): BrowserCode {
  if (EDGE.test(userAgent)) return 3
  if (OTHER_CHROMIUM_BROWSERS.test(userAgent)) return 5
  if (FIREFOX.test(userAgent)) return 4
  if (CHROME.test(userAgent)) return 1
  return /Version\/[\d.]+.*Safari\//.test(userAgent) ? 2 : 5
}

/**
 * Returns the system code. A touch screen identifies an iPad that reports itself as a Mac (OPEN-115). Without
 * `touchPoints`, such an iPad counts as a Mac.
 */
export function systemCode(userAgent: string, touchPoints = 0): SystemCode {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 3
  if (/Android/.test(userAgent)) return 4
  if (/Windows/.test(userAgent)) return 1
  if (/Macintosh|Mac OS X/.test(userAgent)) return touchPoints > 1 ? 3 : 2
  return 5
}
