import { expect, test } from 'vitest'
import { sayLastDay } from '../../src/boot/session/session-expiry-notice.ts'
import { $toast, closeToast } from '../../src/stores/shell/toasts.ts'

const NOW = 1_763_600_000_000
const me = (ends?: number) => ({
  code: 200 as const,
  user_account: 'a@example.com',
  user_id: 'user_1',
  web_app_token: '1.x',
  ...(ends !== undefined && { ends }),
})
/** What is shown, then closed. */
function said(ends?: number): string | undefined {
  sayLastDay(me(ends), NOW)
  const text = $toast.get()?.text
  closeToast()
  return text
}

test('OPEN-18 the end of a session is said once in a tab, and again of the session after it', () => {
  const ends = NOW / 1000 + 3600
  expect([said(), said(ends + 86_400)]).toEqual([undefined, undefined])
  expect(said(ends)).toMatch(/ \d\d:\d\d/)
  expect(said(ends)).toBeUndefined()
  expect(said(ends + 60)).toMatch(/ \d\d:\d\d/)
})
