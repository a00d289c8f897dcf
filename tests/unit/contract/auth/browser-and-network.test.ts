import { expect, test } from 'vitest'
import { formatBrowserName } from '../../../../contract/auth/browser-name.ts'
import { toNetworkPrefix } from '../../../../contract/wire/client-address.ts'

test.each([
  ['203.0.113.77', '203.0.113.x'],
  ['::ffff:203.0.113.77', '203.0.113.x'],
  ['2001:0db8:0007:8:9:a:b:c', '2001:db8:7::'],
  ['2001:db8::9', '2001:db8:0::'],
  ['::1', '0:0:0::'],
  ['somebody', ''],
  ['', ''],
])('IP address %j is reduced to the network %j', (ip, short) => {
  expect(toNetworkPrefix(ip)).toBe(short)
})

const WEBKIT_TOKEN = 'AppleWebKit/537.36 (KHTML, like Gecko)'
test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT_TOKEN} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT_TOKEN} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`,
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19.0 Safari/604.1',
    'Safari on iPhone',
  ],
  ['curl/8.9.1', 'Unknown browser'],
  ['', 'Unknown browser'],
])('user agent %j is named %j', (userAgent, device) => {
  expect(formatBrowserName(userAgent)).toBe(device)
})
