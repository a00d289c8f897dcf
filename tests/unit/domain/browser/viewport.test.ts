import { expect, test } from 'vitest'
import { isMobile, isSmallViewport } from '../../../../src/domain/browser/viewport.ts'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36'
const IPAD =
  'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'

test.each([
  ['iPhone', IPHONE, 699, true],
  ['Android phone', ANDROID, 390, true],
  ['iPhone in a wide window', IPHONE, 700, false],
  ['iPad', IPAD, 699, false],
  ['desktop browser in a small window', DESKTOP, 390, false],
])('LAYOUT-10 mobile: %s', (_, agent, width, expected) => {
  expect(isMobile(agent, width)).toBe(expected)
})

test('LAYOUT-11 CONST-03 699 px is a small viewport, and 700 px is not', () => {
  expect([699, 700].map(isSmallViewport)).toEqual([true, false])
})
