import { describe, expect, test } from 'vitest'
import { fillsWindow, isProtected, showsHeader } from '../../../../src/domain/navigation/page-rules.ts'
import { findPage } from '../../../../src/domain/navigation/pages.ts'
import { isSignInPage } from '../../../../src/domain/navigation/sign-in-pages.ts'

const videoPaths = ['/live', '/live/one', '/events', '/home/events']

test.each(videoPaths)('LAYOUT-07 %s is protected regardless of its own flag', (path) => {
  expect(isProtected(path, { requiresLogin: false })).toBe(true)
})

test.each(videoPaths)('LAYOUT-08 %s shows the header regardless of its own flag', (path) => {
  expect(showsHeader(path, { hidesHeader: true })).toBe(true)
})

describe('page flags', () => {
  test('a page can require login and hide the header', () => {
    expect(isProtected('/help')).toBe(false)
    expect(isProtected('/help', { requiresLogin: true })).toBe(true)
    expect(showsHeader('/help')).toBe(true)
    expect(showsHeader('/help', { hidesHeader: true })).toBe(false)
  })

  test('account and payment pages require login; home, home monitoring, sign-in flow and unknown routes do not', () => {
    for (const path of ['/account/services', '/shop/payment']) expect(isProtected(path)).toBe(true)
    for (const path of ['/', '/purchase/hms', '/user/login', '/user/callback', '/user/redirect', '/nope'])
      expect(isProtected(path)).toBe(false)
  })

  test('only live and events fill the window', () => {
    for (const path of videoPaths) expect(fillsWindow(path)).toBe(true)
    expect(fillsWindow('/account/services')).toBe(false)
  })
})

test('login, logout and all /user pages are not stored as the last visited page', () => {
  for (const path of ['/user', '/user/login', '/user/logout', '/user/callback', '/user/redirect'])
    expect(isSignInPage(path)).toBe(true)
  for (const path of ['/', '/live', '/users', '/account/services']) expect(isSignInPage(path)).toBe(false)
})

test('each page belongs to at most one navigation section', () => {
  expect(['/live', '/events', '/account/products/choose', '/'].map((path) => findPage(path).section)).toEqual([
    'cameras',
    'events',
    'account',
    undefined,
  ])
})
