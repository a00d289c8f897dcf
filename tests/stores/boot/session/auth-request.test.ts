// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest'
import { postAuthRoute } from '../../../../src/boot/session/auth-request.ts'
import { readLoggedEntries } from '../../../../src/stores/shell/action-log.ts'
import { PUBLIC_PAGE_KEYS, safeLocalStorage } from '../../../../src/stores/storage/safe-storage.ts'

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ code: 503 }, { status: 503 })))
})

test.each(['/api/auth/authorize', '/api/auth/logout'])(
  'LOG-01 OPEN-137 %s is logged for an account known to this browser, without the sent data',
  async (path) => {
    safeLocalStorage.write(PUBLIC_PAGE_KEYS.userId, 'user_1')
    expect((await postAuthRoute(path, { state: '/live', kount_session_id: 'abc' })).status).toBe(503)
    expect(readLoggedEntries()).toEqual([
      { time: expect.any(String), method: 'POST', url: path, status: 503, ms: expect.any(Number) },
    ])
  },
)

test('OPEN-137 nothing is logged without a known account', async () => {
  await postAuthRoute('/api/auth/authorize', { state: '' })
  expect(safeLocalStorage.read('action_log')).toBeNull()
  expect(readLoggedEntries()).toEqual([])
})
