import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { trapFocus } from '../../../src/boot/frame/focus-trap.ts'
import { waitForSignedInMarkerRemoval } from '../../../src/boot/session/wait-for-sign-out.ts'
import type { RedirectRules } from '../../../src/domain/navigation/safe-redirect.ts'
import { resolveNextUrl, loginRedirectUrl } from '../../../src/stores/session/post-login-path.ts'
import { $routeParams, setRouteParam } from '../../../src/stores/shell/route-params.ts'
import { clearUserData } from '../../../src/stores/storage/safe-storage.ts'
import { $viewport, watchViewport } from '../../../src/stores/shell/viewport.ts'
import { publicRedirectRules } from '../../support/redirect-classes.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  localStorage.clear()
})

test('STORE-02 the redirect store holds nextUrl until the configuration has loaded, then clears it', async () => {
  const { promise, resolve } = Promise.withResolvers<RedirectRules>()
  const target = resolveNextUrl('https://pay.test/cards?x=1', promise)
  expect(loginRedirectUrl).toEqual({ nextUrl: 'https://pay.test/cards?x=1' })
  resolve(publicRedirectRules)
  expect(await target).toBe('https://pay.test/cards?x=1')
  expect(loginRedirectUrl).toEqual({ nextUrl: '' })
})

test('route parameters are a map in storage and are deleted at sign-out', () => {
  setRouteParam('coupon', 'A')
  setRouteParam('plan', 'B')
  expect($routeParams.get()).toEqual({ coupon: 'A', plan: 'B' })
  expect(JSON.parse(localStorage.getItem('routeParams') ?? '')).toEqual({ coupon: 'A', plan: 'B' })
  clearUserData()
  expect(localStorage.getItem('routeParams')).toBeNull()
})

test('CONST-13 the viewport is measured 166 ms after the last resize', () => {
  const resizeTo = (value: number) => {
    Object.defineProperty(window, 'innerWidth', { value, configurable: true })
    window.dispatchEvent(new Event('resize'))
  }
  const stop = watchViewport()
  resizeTo(699)
  vi.advanceTimersByTime(100)
  resizeTo(650)
  vi.advanceTimersByTime(165)
  expect($viewport.get().isSmall).toBe(false)
  vi.advanceTimersByTime(1)
  expect($viewport.get().isSmall).toBe(true)
  stop()
  resizeTo(1440)
  vi.advanceTimersByTime(1000)
  expect($viewport.get().isSmall).toBe(true)
})

test('CONST-12 the focus trap checks every 50 ms and brings the focus back', () => {
  document.body.innerHTML =
    '<button id="out">out</button><div id="in"><button id="a">a</button><button id="b">b</button></div>'
  const getElement = (id: string) => document.getElementById(id) as HTMLElement
  const release = trapFocus(getElement('in'))
  getElement('b').focus()
  vi.advanceTimersByTime(50)
  getElement('out').focus()
  vi.advanceTimersByTime(49)
  expect(document.activeElement?.id).toBe('out')
  vi.advanceTimersByTime(1)
  expect(document.activeElement?.id).toBe('b')
  release()
  getElement('out').focus()
  vi.advanceTimersByTime(500)
  expect(document.activeElement?.id).toBe('out')
})

test('CONST-06 the marker cookie is checked every 300 ms, for 10 s at most', async () => {
  document.cookie = 'signed_in=1'
  const removal = waitForSignedInMarkerRemoval()
  await vi.advanceTimersByTimeAsync(299)
  document.cookie = 'signed_in=; max-age=0'
  let isResolved = false
  void removal.then(() => (isResolved = true))
  await vi.advanceTimersByTimeAsync(0)
  expect(isResolved).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await removal).toBe(true)

  document.cookie = 'signed_in=1'
  const never = waitForSignedInMarkerRemoval()
  await vi.advanceTimersByTimeAsync(10_200)
  expect(await never).toBe(false)
})
