import { AUTHORIZE_LOOP } from '../../../contract/wire/constants.ts'
import { guard, parseTimes } from '../../domain/navigation/redirect-loop-guard.ts'
import { FIRST_KEYS, local, tab, TAB_KEYS } from '../../stores/storage/safe-storage.ts'
import { leave } from '../page/leave-page.ts'
import { postAuthRoute } from './auth-request.ts'
import { showTrouble } from '../page/error-screen.ts'

/**
 * Sends the browser through the provider's authorization flow (AUTH-18). The edge creates the code challenge and the
 * URL. `state`: path and query to return to, '' from the login page.
 */
export async function redirectToSignIn(state: string): Promise<void> {
  const { tooOften, times } = guard(parseTimes(tab.read(TAB_KEYS.authorizeTimes)), Date.now(), AUTHORIZE_LOOP)
  tab.write(TAB_KEYS.authorizeTimes, tooOften ? '' : times.join())
  if (tooOften) return showTrouble('loop')
  const { status, body } = await postAuthRoute('/api/auth/authorize', { state, kount_session_id: kountSessionId() })
  if (status !== 200 || typeof body.url !== 'string') return showTrouble('sign-in')
  local.write(FIRST_KEYS.codeChallenge, String(body.code_challenge))
  leave(body.url)
}

/** Returns the id of the device session: created once in this browser, kept until sign-out (OPEN-95). */
export function kountSessionId(): string {
  const id = local.read(FIRST_KEYS.kountSessionId) || crypto.randomUUID().replaceAll('-', '')
  local.write(FIRST_KEYS.kountSessionId, id)
  return id
}
