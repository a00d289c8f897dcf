import { expect, test } from 'vitest'
import { titleOf } from '../../src/domain/titles.ts'

test('ROUTE-04 every path that contains /events has the title of the events page', () => {
  for (const path of ['/events', '/events/clip', '/home/events/today']) expect(titleOf(path)).toBe('Web Events')
})

test('ROUTE-09 the three plan pages have three titles of their own', () => {
  const titles = ['camera-ai', 'unlimited', 'home-monitoring'].map((segment) => titleOf(`/account/products/${segment}`))
  expect(new Set(titles).size).toBe(3)
  expect(titles).not.toContain('Web Portal')
})

test('ROUTE-11 every path that contains /redeem has the title of coupon redemption', () => {
  expect(titleOf('/account/redeem/choose')).toBe('Coupon Redeem')
  expect(titleOf('/redeem')).toBe('Coupon Redeem')
})

test('ROUTE-25 pages without a title of their own have the generic one', () => {
  const paths = [
    '/',
    '/account/services',
    '/account/billing',
    '/account/products/choose',
    '/account/payment',
    '/user/login',
    '/nope',
  ]
  for (const path of paths) expect(titleOf(path)).toBe('Web Portal')
})

test('the live page has the title of the live view, and only that page', () => {
  expect(titleOf('/live')).toBe('Web Live View')
  expect(titleOf('/lively')).toBe('Web Portal')
})
