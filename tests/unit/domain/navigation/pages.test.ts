import { describe, expect, test } from 'vitest'
import { isProtected, showsHeader } from '../../../../src/domain/navigation/page-rules.ts'
import { NOT_FOUND_PAGE, findPage, resolvePagePath, PAGES } from '../../../../src/domain/navigation/pages.ts'

const getTitle = (path: string) => findPage(path).title

test('ROUTE-04 every path that contains /events has the title of the events page', () => {
  for (const path of ['/events', '/events/clip', '/home/events/today']) expect(getTitle(path)).toBe('Web Events')
})

test('ROUTE-09 the three plan pages have three titles of their own', () => {
  const titles = ['camera-ai', 'unlimited', 'home-monitoring'].map((segment) =>
    getTitle(`/account/products/${segment}`),
  )
  expect(new Set(titles).size).toBe(3)
  expect(titles).not.toContain('Web Portal')
})

test('ROUTE-11 every path that contains /redeem has the title of coupon redemption', () => {
  expect(getTitle('/account/redeem/choose')).toBe('Coupon Redeem')
  expect(getTitle('/redeem')).toBe('Coupon Redeem')
})

test('ROUTE-25 pages without a title of their own have the generic one', () => {
  const paths = [
    '/',
    '/account/services',
    '/account/billing',
    '/account/billing/invoice',
    '/account/products/choose',
    '/account/payment',
    '/user/login',
    '/nope',
  ]
  for (const path of paths) expect(getTitle(path)).toBe('Web Portal')
})

test('OPEN-167 pages beyond the listed ones have titles of their own', () => {
  const titles = ['/account/people', '/account/activity', '/privacy', '/guides/cameras'].map(getTitle)
  expect(titles).toEqual(['People', 'Activity', 'Privacy', 'Add a Camera'])
})

test('the live page has the title of the live view on every path', () => {
  for (const path of ['/live', '/live/one']) expect(getTitle(path)).toBe('Web Live View')
})

test.each([
  ['/x/events/y', { serve: '/events' }],
  ['/live/anything', { serve: '/live' }],
  ['/foo/redeem/bar', { serve: '/account/redeem/choose' }],
  ['/a/payment/b', { serve: '/account/payment' }],
  ['/shop/purchase/hms/now', { serve: '/purchase/hms' }],
  ['/my-purchase/hms', { serve: '/purchase/hms' }],
  ['/xpurchase/hmsx', { serve: '/purchase/hms' }],
  ['/purchase/other', null],
  ['/account/products/gold', { go: '/account/products/choose' }],
  ['/account', { serve: '/account' }],
  ['/accounts', null],
  ['/nope', null],
])('path %s resolves to %j', (path, answer) => {
  expect(resolvePagePath(path)).toEqual(answer)
})

describe('page table', () => {
  test('names each page once, and each word in a URL leads to the page named after it', () => {
    const paths = PAGES.map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
    for (const { path } of PAGES) expect(findPage(path).path).toBe(path)
    expect(findPage('/nope')).toBe(NOT_FOUND_PAGE)
  })

  test('requires sign-in for account, purchase, payment, live and event pages, but not home monitoring', () => {
    const protectedPath = /^\/account|^\/purchase(?!\/hms$)|\/payment|\/live|\/events/
    for (const { path } of PAGES) expect([path, isProtected(path)]).toEqual([path, protectedPath.test(path)])
    expect(isProtected(NOT_FOUND_PAGE.path)).toBe(false)
  })

  test('gives public pages a budget of 3 KiB, or 3.1 if they sign in, and hides the header on pages that only redirect', () => {
    for (const page of [...PAGES, NOT_FOUND_PAGE].filter(({ path }) => !isProtected(path)))
      expect([page.path, page.budget]).toEqual([page.path, /login|callback/.test(page.path) ? 3.1 : 3])
    expect(PAGES.filter(({ path }) => !showsHeader(path)).map(({ path }) => path)).toEqual(['/purchase/hms'])
  })
})
