import { expect, test } from 'vitest'
import { clientNetwork } from '../../../../../provider/platform/rate-limits/client-network.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['local', 'local'],
])('an attempt from %s is counted under %s', (ip, prefix) => {
  expect(clientNetwork(ip)).toBe(prefix)
})
