const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(A|iOS)?\/|Edge\//, 'Edge'],
  [/OPR\/|OPiOS\/|Opera/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|Chromium\/|CriOS\//, 'Chrome'],
  [/Version\/[\d.]+.*Safari\//, 'Safari'],
]
const OPERATING_SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/Linux/, 'Linux'],
]

const findName = (userAgent: string, names: readonly [RegExp, string][]) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1]

/**
 * Returns browser and system, such as "Chrome on Linux". `BROWSERS` lists Edge, Opera and Samsung Internet before
 * Chrome, because their user agents also contain "Chrome".
 */
export function formatBrowserName(userAgent: string): string {
  const [browser, system] = [findName(userAgent, BROWSERS), findName(userAgent, OPERATING_SYSTEMS)]
  if (browser === undefined) return system === undefined ? 'Unknown browser' : `Unknown browser on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}
