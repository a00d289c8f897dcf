import type { InferInput } from 'valibot'
import type { logoutAnswer } from '../../contract/auth/user-calls.ts'
import { sessionStub } from '../lib/auth/session-access.ts'
import type { EdgeContext } from '../lib/edge-context.ts'
import { clearSessionCookies, readSessionId } from '../lib/auth/session-cookies.ts'
import { readClientInfo } from './sessions.ts'

/** Next page after a sign-out; says that the other site is still signed in and would sign in again without asking. */
const STILL_KNOWN = `/user/redirect?${new URLSearchParams({ error: 'still_known' }).toString()}`

/**
 * Ends the session here and at the provider. Always succeeds: this browser is signed out even if the provider fails. A
 * foreign provider ends its own session at the `url` of the response; if it names none, `url` is a page that says so.
 */
export async function logout(c: EdgeContext): Promise<Response> {
  const id = readSessionId(c)
  const note = { kind: 'sign-out', ended: '', ...readClientInfo(c) } as const
  const end = id === null ? null : await sessionStub(c, id).end(note)
  clearSessionCookies(c)
  const url = end && (end.url ?? (c.var.settings.embedded ? null : STILL_KNOWN))
  return c.json({ code: 200, ...(url !== null && { url }) } satisfies InferInput<typeof logoutAnswer>)
}
