import { AUTH_CALL_TIMEOUT_MS } from '../../../contract/wire/constants.ts'
import { send } from '../../api/http-transport.ts'
import { kountSessionId, signIn } from './sign-in.ts'

/**
 * Leaves a page of the portal for the sign-in, as signIn does. The device collector hears of the session where the document says,
 * as from user-login.ts, which has no room for a file that both of them share. Nothing waits for it, and it outlives the page.
 */
export function signInFrom(state: string): Promise<void> {
  const leaving = signIn(state)
  const { collector = '', client } = document.body.dataset
  if (client)
    void send(
      collector.replace('*', kountSessionId()) + crypto.randomUUID(),
      { method: 'POST', headers: { 'client-id': client }, keepalive: true },
      { fetch, timeout: AUTH_CALL_TIMEOUT_MS },
    )
  return leaving
}
