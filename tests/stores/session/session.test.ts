import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fetchCurrentUser } from '../../../src/api/current-user.ts'
import { retryCurrentUser } from '../../../src/boot/page/retry-current-user.ts'
import {
  $auth,
  $email,
  $userId,
  $userRole,
  $videoSearchSwitch,
  $webAppToken,
  storeCurrentUser,
} from '../../../src/stores/session/session.ts'
import { $homeId } from '../../../src/stores/home/devices.ts'
import { preferNewerToken } from '../../../src/stores/session/prefer-newer-token.ts'
import { clearSignedInUser } from '../../../src/stores/session/clear-signed-in-user.ts'
import { canPersistStorage } from '../../../src/stores/storage/storage-probe.ts'
import { createSafeStorage, clearUserData } from '../../../src/stores/storage/safe-storage.ts'

const CURRENT_USER = {
  code: 200,
  user_account: 'owner@example.com',
  user_id: 'user_1',
  web_app_token: 'gen-1',
} as const
const createFetch =
  (status: number, body: unknown): typeof fetch =>
  () =>
    Promise.resolve(new Response(JSON.stringify(body), { status }))

afterEach(() => vi.useRealTimers())
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  $auth.set({ isLogin: false, loaded: false })
})

describe('current user', () => {
  test('SESSION-01 SESSION-02 AUTH-02 email and user id come from user_account and user_id', async () => {
    const answer = await fetchCurrentUser(createFetch(200, CURRENT_USER))
    expect(answer).toEqual({ who: 'user', me: CURRENT_USER })
    storeCurrentUser(CURRENT_USER)
    expect([$email.get(), $userId.get(), $webAppToken.get()]).toEqual(['owner@example.com', 'user_1', 'gen-1'])
    expect([localStorage.getItem('email'), localStorage.getItem('userId')]).toEqual(['owner@example.com', 'user_1'])
  })

  test.each([
    [401, { code: 401 }],
    [200, { code: 500 }],
    [200, { user_account: 'a@b.c' }],
  ])('AUTH-04 status %i with body %j means no user: loaded and not signed in', async (status, body) => {
    expect(await fetchCurrentUser(createFetch(status, body))).toEqual({ who: 'anonymous' })
    storeCurrentUser(null)
    expect($auth.get()).toEqual({ isLogin: false, loaded: true })
  })

  test('AUTH-05 a lost or failed response counts as not signed in, and keeps stored values', async () => {
    storeCurrentUser(CURRENT_USER)
    expect(await fetchCurrentUser(() => Promise.reject(new TypeError('Failed to fetch')))).toEqual({
      who: 'unreachable',
      status: 0,
    })
    expect(await fetchCurrentUser(createFetch(503, { code: 503 }))).toEqual({ who: 'unreachable', status: 503 })
    storeCurrentUser(null)
    expect($auth.get()).toEqual({ isLogin: false, loaded: true })
    expect($email.get()).toBe('owner@example.com')
  })

  test.each([408, 429, 500, 503, 504])(
    'OPEN-163 status %i does not sign the user out: the service is unavailable',
    async (status) => {
      expect(await fetchCurrentUser(createFetch(status, { code: status }))).toEqual({ who: 'unreachable', status })
    },
  )

  test.each([400, 401, 403, 404])('OPEN-163 status %i means no user', async (status) => {
    expect(await fetchCurrentUser(createFetch(status, { code: status }))).toEqual({ who: 'anonymous' })
  })

  test('OPEN-163 an unavailable service is retried with backoff until it responds', async () => {
    vi.useFakeTimers()
    const statuses = [503, 429, 200]
    const requestTimes: number[] = []
    const done = vi.fn()
    const startedAt = Date.now()
    const ended = retryCurrentUser((address) => {
      requestTimes.push(Date.now() - startedAt)
      return createFetch(statuses.shift() ?? 500, CURRENT_USER)(address)
    }, done)
    await vi.advanceTimersByTimeAsync(60_000)
    await ended
    expect([requestTimes, done.mock.calls.length]).toEqual([[2000, 6000, 14_000], 1])
  })

  test('a response from before another tab got a newer token leaves that token in place', () => {
    storeCurrentUser(CURRENT_USER)
    $webAppToken.set('gen-2')
    expect(preferNewerToken(CURRENT_USER, 'gen-1')).toEqual({ ...CURRENT_USER, web_app_token: 'gen-2' })
    expect(preferNewerToken({ ...CURRENT_USER, web_app_token: 'gen-3' }, 'gen-2').web_app_token).toBe('gen-3')
    expect(preferNewerToken({ ...CURRENT_USER, user_id: 'user_2' }, 'gen-1').web_app_token).toBe('gen-1')
  })

  test('AUTH-06 the status holds exactly isLogin and loaded', () => {
    storeCurrentUser(CURRENT_USER)
    expect($auth.get()).toEqual({ isLogin: true, loaded: true })
  })
})

describe('session', () => {
  test('SESSION-04 the video search switch is off at first and not persisted', () => {
    expect($videoSearchSwitch.get()).toBe(false)
    $videoSearchSwitch.set(true)
    expect(Object.values(localStorage)).toEqual([])
  })

  test('a stored value is not written again, because another tab may just have changed it', () => {
    storeCurrentUser(CURRENT_USER)
    const written = vi.spyOn(Storage.prototype, 'setItem')
    $webAppToken.set('gen-1')
    expect(written).not.toHaveBeenCalled()
    $webAppToken.set('gen-2')
    expect(written).toHaveBeenCalledExactlyOnceWith('web_app_token', 'gen-2')
    written.mockRestore()
  })

  test('SESSION-06 a reset clears email and user id and nothing else', () => {
    storeCurrentUser(CURRENT_USER)
    clearSignedInUser()
    expect(['email', 'userId', 'web_app_token'].map((key) => localStorage.getItem(key))).toEqual([null, null, 'gen-1'])
  })

  test('SESSION-10 the user role is persisted as text', () => {
    $userRole.set('shared')
    expect(localStorage.getItem('userRole')).toBe('shared')
  })

  test('another user finds no data of the previous one, even if that session expired', () => {
    storeCurrentUser(CURRENT_USER)
    localStorage.setItem('user-cameras', '[]')
    clearSignedInUser()
    storeCurrentUser(CURRENT_USER)
    expect(localStorage.getItem('user-cameras')).toBe('[]')
    clearSignedInUser()
    storeCurrentUser({ ...CURRENT_USER, user_id: 'user_2' })
    expect(localStorage.getItem('user-cameras')).toBeNull()
  })

  test('another user finds no data of the previous one', () => {
    storeCurrentUser(CURRENT_USER)
    localStorage.setItem('user-cameras', '[]')
    storeCurrentUser({ ...CURRENT_USER, user_id: 'user_2' })
    expect(localStorage.getItem('user-cameras')).toBeNull()
    expect($userId.get()).toBe('user_2')
  })
})

describe('purchase data of the tab', () => {
  const PURCHASE_DATA = {
    coupon_of_price: 'WELCOME20',
    bought: '{}',
    payment_replaces: 'pm_1',
    intent_redeem: 'key sum',
  }
  const storePurchaseData = () =>
    Object.entries(PURCHASE_DATA).forEach(([key, value]) => sessionStorage.setItem(key, value))
  const listPurchaseKeys = () => Object.keys(sessionStorage).filter((key) => key in PURCHASE_DATA)

  test('is cleared on sign-out', () => {
    storePurchaseData()
    clearUserData()
    expect(listPurchaseKeys()).toEqual([])
  })

  test('survives a first sign-in, a reload and a new session of the same user', () => {
    storePurchaseData()
    storeCurrentUser(CURRENT_USER)
    clearSignedInUser()
    storeCurrentUser(CURRENT_USER)
    expect(listPurchaseKeys()).toHaveLength(4)
  })

  test('is cleared for another user, even after a sign-out in another tab', () => {
    storeCurrentUser(CURRENT_USER)
    storePurchaseData()
    storeCurrentUser({ ...CURRENT_USER, user_id: 'user_2' })
    expect(listPurchaseKeys()).toEqual([])

    storePurchaseData()
    localStorage.clear()
    storeCurrentUser(CURRENT_USER)
    expect(listPurchaseKeys()).toEqual([])
  })

  test('data that another tab stored for the new user remains', () => {
    storeCurrentUser(CURRENT_USER)
    localStorage.clear()
    localStorage.setItem('kept_for', 'user_2')
    localStorage.setItem('home_id', '1')
    storeCurrentUser({ ...CURRENT_USER, user_id: 'user_2' })
    expect(localStorage.getItem('home_id')).toBe('1')
  })
})

describe('browser storage', () => {
  test('sign-out keeps the currency and the dismissed notice, and clears the rest', () => {
    for (const key of ['currentCurrency', 'browser_notice_dismissed', 'userId', 'kount_session_id', 'home_id'])
      localStorage.setItem(key, '1')
    clearUserData()
    expect(Object.keys(localStorage).toSorted()).toEqual(['browser_notice_dismissed', 'currentCurrency'])
  })

  test('STORE-22 errors of a failing storage are swallowed, and values are kept in memory', () => {
    const blocked = createSafeStorage(() => {
      throw new DOMException('Blocked', 'SecurityError')
    })
    expect(blocked.read('a')).toBeNull()
    expect(blocked.write('a', '1')).toBe(false)
    expect(blocked.read('a')).toBe('1')
    blocked.remove('a')
    expect(blocked.read('a')).toBeNull()
  })

  test('a working storage is reported as working', () => {
    expect(canPersistStorage()).toBe(true)
  })
})

test('OPEN-42 the sign-in of another user also resets stores that are in use', () => {
  storeCurrentUser(CURRENT_USER)
  $homeId.set('home_of_user_1')
  const homeIds: string[] = []
  const stop = $homeId.subscribe((homeId) => homeIds.push(homeId))
  storeCurrentUser({ ...CURRENT_USER, user_id: 'user_2' })
  stop()
  expect(homeIds).toEqual(['home_of_user_1', ''])
  expect($homeId.get()).toBe('')
})
