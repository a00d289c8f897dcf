import { AUTH_CALL_TIMEOUT_MS, TIME_ZONE_COOKIE } from '../../../contract/wire/constants.ts'
import { send } from '../../api/http-transport.ts'
import { ensureKountSessionId, redirectToSignIn } from './sign-in.ts'

/**
 * Redirects to the sign-in and reports the device session to the document's collector URL, without waiting for the
 * report. user-login.ts repeats this code, because its script budget has no room for a shared file.
 */
export function signInAndReportSession(state: string): Promise<void> {
  // The edge passes the time zone on after the sign-in (OPEN-168).
  document.cookie = `${TIME_ZONE_COOKIE}=${new Intl.DateTimeFormat().resolvedOptions().timeZone};path=/;samesite=lax`
  const redirectPromise = redirectToSignIn(state)
  const { collector = '', client } = document.body.dataset
  if (client)
    void send(
      collector.replace('*', ensureKountSessionId()) + crypto.randomUUID(),
      { method: 'POST', headers: { 'client-id': client }, keepalive: true },
      { fetch, timeout: AUTH_CALL_TIMEOUT_MS },
    )
  return redirectPromise
}
