import type { InferInput } from 'valibot'
import type { logoutAnswer } from '../../contract/auth/user-calls.ts'
import { sessionStub } from '../lib/auth/session-access.ts'
import type { EdgeContext } from '../lib/edge-context.ts'
import { clearSessionCookies, readSessionId } from '../lib/auth/session-cookies.ts'
import { readClientInfo } from './sessions.ts'

/**
 * Page after a sign-out if the foreign provider may still have its own session. It warns that the next sign-in there
 * needs no password.
 */
const STILL_KNOWN = `/user/redirect?${new URLSearchParams({ error: 'still_known' }).toString()}`

/**
 * Ends the session here and at the provider. Always succeeds: this browser is signed out even if the provider fails.
 * The response's `url` is the page at which a foreign provider ends its own session, or a portal page that says that
 * this session remains.
 */
export async function logout(c: EdgeContext): Promise<Response> {
  const id = readSessionId(c)
  const note = { kind: 'sign-out', ended: '', ...readClientInfo(c) } as const
  const end = id === null ? null : await sessionStub(c, id).end(note)
  clearSessionCookies(c)
  const url = end && (end.url ?? (c.var.settings.embedded ? null : STILL_KNOWN))
  return c.json({ code: 200, ...(url !== null && { url }) } satisfies InferInput<typeof logoutAnswer>)
}
