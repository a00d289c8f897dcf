import { expect, test } from 'vitest'
import { showExpiryNotice } from '../../../../src/boot/session/session-expiry-notice.ts'
import { $toast, closeToast } from '../../../../src/stores/shell/toasts.ts'

const NOW_MS = 1_763_600_000_000
const currentUser = (ends?: number) => ({
  code: 200 as const,
  user_account: 'a@example.com',
  user_id: 'user_1',
  web_app_token: '1.x',
  ...(ends !== undefined && { ends }),
})
function readToast(ends?: number): string | undefined {
  showExpiryNotice(currentUser(ends), NOW_MS)
  const text = $toast.get()?.text
  closeToast()
  return text
}

test('OPEN-18 a tab announces the end of a session once, and again for the next session', () => {
  const ends = NOW_MS / 1000 + 3600
  expect([readToast(), readToast(ends + 86_400)]).toEqual([undefined, undefined])
  expect(readToast(ends)).toMatch(/ \d\d:\d\d/)
  expect(readToast(ends)).toBeUndefined()
  expect(readToast(ends + 60)).toMatch(/ \d\d:\d\d/)
})
