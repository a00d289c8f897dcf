import { expect, test } from 'vitest'
import { findNewerFirmware, compareVersions } from '../../../src/domain/live/firmware.ts'
import { parseCoupon, getRedeemPath } from '../../../src/domain/billing/coupon-code.ts'

test.each([
  ['1.10', '1.9', 1],
  ['1.9', '1.10', -1],
  ['2.0', '2', 0],
  ['1.2.3', '1.2.3', 0],
  ['1.x', '1.0', 0],
  ['10', '9.9.9', 1],
] as const)('CONST-17 comparing version %s with %s gives %i', (version, other, expected) => {
  expect(compareVersions(version, other)).toBe(expected)
})

test.each([
  ['', '1.0'],
  ['1.0', ''],
  [undefined, '1.0'],
  ['1.0', null],
])('CONST-18 a missing version (%s against %s) gives -1', (version, other) => {
  expect(compareVersions(version, other)).toBe(-1)
})

test('CONST-17 a camera shows the newest firmware found on another camera of its model', () => {
  const createCamera = (device_id: string, firmware_version: string, device_model = 'A') => ({
    device_id,
    device_model,
    nickname: device_id,
    firmware_version,
  })
  const all = [
    createCamera('old', '1.9.0'),
    createCamera('new', '1.10.0'),
    createCamera('none', ''),
    createCamera('other', '9.0', 'B'),
  ]
  expect(all.map((candidate) => findNewerFirmware(candidate, all)?.device_id)).toEqual([
    'new',
    undefined,
    undefined,
    undefined,
  ])
})

test('REDIRECT-03 a redirecturl that names redeem/process leads to redemption with its coupon', () => {
  const target = '/account/redeem/choose?coupon=WELCOME-20_x'
  for (const search of [
    '?redirecturl=redeem/process/WELCOME-20_x',
    '?a=1&RedirectURL=%2Fredeem%2Fprocess%2FWELCOME-20_x',
    '?redirecturl=https%3A%2F%2Fportal.example%2Fredeem%2Fprocess%2FWELCOME-20_x%3Futm%3D1',
  ])
    expect(getRedeemPath(search)).toBe(target)
})

test.each([
  '',
  '?redirect=redeem/process/A',
  '?redirecturl=https://evil.test/',
  '?redirecturl=redeem/process/',
  '?redirecturl=redeem/process/A%20B',
  '?redirecturl=redeem/process/A/evil',
  '?redirecturl=xredeem/process/A',
  `?redirecturl=redeem/process/${'a'.repeat(65)}`,
])('any other redirecturl is ignored: %s', (search) => {
  expect(getRedeemPath(search)).toBeNull()
})

test('a coupon parameter yields a code, or nothing', () => {
  expect(parseCoupon('?coupon=WELCOME20')).toBe('WELCOME20')
  for (const search of ['', '?coupon=', '?coupon=<b>', `?coupon=${'a'.repeat(65)}`])
    expect(parseCoupon(search)).toBeNull()
})
