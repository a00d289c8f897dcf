import { describe, expect, test } from 'vitest'
import { browserCode, systemCode } from '../../../../src/domain/browser/user-agent.ts'

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)'
const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8)'
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15'

describe('browser codes', () => {
  test.each([
    ['BROWSER-01 Chrome is 1', `${MAC} ${CHROME}`, 1],
    [
      'BROWSER-01 Chrome on iOS is 1',
      `${IPHONE} AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1`,
      1,
    ],
    ['BROWSER-02 Safari is 2', `${MAC} ${SAFARI}`, 2],
    [
      'BROWSER-02 Safari on a phone is 2',
      `${IPHONE} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1`,
      2,
    ],
    ['BROWSER-03 Edge is 3 although its user agent contains Chrome', `${WINDOWS} ${CHROME} Edg/140.0.0.0`, 3],
    ['BROWSER-03 Edge on Android is 3', `${ANDROID} ${CHROME} EdgA/140.0`, 3],
    ['BROWSER-04 Firefox is 4', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 4],
    [
      'BROWSER-04 Firefox on iOS is 4',
      `${IPHONE} AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/140.0 Mobile/15E148 Safari/605.1.15`,
      4,
    ],
    ['BROWSER-05 Opera, built on Chrome, is 5', `${WINDOWS} ${CHROME} OPR/120.0.0.0`, 5],
    [
      'BROWSER-05 a Samsung browser is 5',
      `${ANDROID} AppleWebKit/537.36 SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
      5,
    ],
    ['BROWSER-05 a command-line client is 5', 'curl/8.5.0', 5],
    ['BROWSER-05 an empty user agent is 5', '', 5],
  ] as const)('%s', (_, userAgent, code) => {
    expect(browserCode(userAgent)).toBe(code)
  })
})

describe('system codes', () => {
  test.each([
    ['BROWSER-06 Windows is 1', `${WINDOWS} ${CHROME}`, 0, 1],
    ['BROWSER-07 a Mac is 2', `${MAC} ${SAFARI}`, 0, 2],
    ['BROWSER-08 an iPhone is 3', IPHONE, 5, 3],
    ['BROWSER-08 an iPad with a Mac user agent is 3 because of its touch points', `${MAC} ${SAFARI}`, 5, 3],
    ['BROWSER-09 Android is 4', ANDROID, 5, 4],
    ['BROWSER-10 Linux is 5', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 0, 5],
    ['BROWSER-10 ChromeOS is 5', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`, 0, 5],
  ] as const)('%s', (_, userAgent, touchPoints, code) => {
    expect(systemCode(userAgent, touchPoints)).toBe(code)
  })
})
