import type { InferInput } from 'valibot'
import type { logoutResponse } from '../../contract/auth/user-calls.ts'
import { getSessionStub } from '../lib/auth/session-access.ts'
import type { EdgeContext } from '../lib/edge-context.ts'
import { clearSessionCookies, readSessionId } from '../lib/auth/session-cookies.ts'
import { readClientInfo } from './sessions.ts'

/**
 * Page shown after a sign-out if the session at an external provider may still exist. It warns that the next sign-in
 * there needs no password.
 */
const PROVIDER_SESSION_REMAINS_PATH = `/user/redirect?${new URLSearchParams({ error: 'still_known' }).toString()}`

/**
 * Ends the session at the edge and at the provider. Succeeds even if the provider fails, because this browser is then
 * signed out. `url` in the response: an external provider's sign-out page or, if that is not available, the portal
 * page that warns of a remaining session. With the embedded provider or without a session, the response has no `url`.
 */
export async function handleLogout(c: EdgeContext): Promise<Response> {
  const id = readSessionId(c)
  const signOutDetails = { kind: 'sign-out', ended: '', ...readClientInfo(c) } as const
  const end = id === null ? null : await getSessionStub(c, id).end(signOutDetails)
  clearSessionCookies(c)
  const url = end && (end.url ?? (c.var.settings.embedded ? null : PROVIDER_SESSION_REMAINS_PATH))
  return c.json({ code: 200, ...(url !== null && { url }) } satisfies InferInput<typeof logoutResponse>)
}
