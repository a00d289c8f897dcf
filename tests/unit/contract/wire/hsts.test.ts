import { expect, test } from 'vitest'
import { getHstsValue } from '../../../../contract/wire/constants.ts'

test.each([
  ['https://cam.example.com', 'max-age=63072000; includeSubDomains'],
  ['https://192.168.1.10:8787', null],
  ['https://localhost:8787', null],
  ['http://localhost:8787', null],
  ['http://cam.example.com', null],
  ['', null],
  [undefined, null],
])('the HSTS header of %s is %s: it never affects other ports of a host', (origin, expected) => {
  expect(getHstsValue(origin)).toBe(expected)
})
