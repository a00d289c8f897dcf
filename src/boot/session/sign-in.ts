import { AUTHORIZE_LOOP_LIMIT } from '../../../contract/wire/constants.ts'
import { checkRedirectLoop, parseRedirectTimes } from '../../domain/navigation/redirect-loop-guard.ts'
import { PUBLIC_PAGE_KEYS, safeLocalStorage, safeSessionStorage, TAB_KEYS } from '../../stores/storage/safe-storage.ts'
import { xsrfToken } from '../../api/xsrf.ts'
import { leavePage } from '../page/leave-page.ts'
import { postAuthRoute } from './auth-request.ts'
import { showErrorScreen } from '../page/error-screen.ts'

/**
 * Sends the browser through the provider's authorization flow (AUTH-18). The edge creates the code challenge and the
 * URL. `state`: path and query to return to, '' from the login page.
 */
export async function redirectToSignIn(state: string): Promise<void> {
  const { tooOften, times } = checkRedirectLoop(
    parseRedirectTimes(safeSessionStorage.read(TAB_KEYS.authorizeTimes)),
    Date.now(),
    AUTHORIZE_LOOP_LIMIT,
  )
  safeSessionStorage.write(TAB_KEYS.authorizeTimes, tooOften ? '' : times.join())
  if (tooOften) return showErrorScreen('loop')
  const { status, body } = await postAuthRoute('/api/auth/authorize', {
    state,
    kount_session_id: ensureKountSessionId(),
  })
  // The edge rejects the request of a browser that stored no CSRF cookie.
  if (status === 403 && !xsrfToken()) return showErrorScreen('loop')
  if (status !== 200 || typeof body.url !== 'string') return showErrorScreen('sign-in')
  safeLocalStorage.write(PUBLIC_PAGE_KEYS.codeChallenge, String(body.code_challenge))
  leavePage(body.url)
}

/** Returns the id of the device session. Creates the id if missing; the browser stores it until sign-out (OPEN-95). */
export function ensureKountSessionId(): string {
  const id = safeLocalStorage.read(PUBLIC_PAGE_KEYS.kountSessionId) || crypto.randomUUID().replaceAll('-', '')
  safeLocalStorage.write(PUBLIC_PAGE_KEYS.kountSessionId, id)
  return id
}
