import type { InferInput } from 'valibot'
import type { logoutAnswer } from '../../contract/auth/user-calls.ts'
import { sessionStub } from '../lib/auth/session-access.ts'
import type { EdgeContext } from '../lib/edge-context.ts'
import { clearSessionCookies, readSessionId } from '../lib/auth/session-cookies.ts'
import { readClientInfo } from './sessions.ts'

/** Says on the next page that the other site still knows its visitor, with whom it would sign in again without a question. */
const STILL_KNOWN = `/user/redirect?${new URLSearchParams({ error: 'still_known' }).toString()}`

/**
 * Ends the session here and at the provider. Always succeeds: whatever the provider says, this browser is signed out. A
 * foreign provider ends its own session at the `url` of the answer; of one that names no such address the page there says so.
 */
export async function logout(c: EdgeContext): Promise<Response> {
  const id = readSessionId(c)
  const note = { kind: 'sign-out', ended: '', ...readClientInfo(c) } as const
  const end = id === null ? null : await sessionStub(c, id).end(note)
  clearSessionCookies(c)
  const url = end && (end.url ?? (c.var.settings.embedded ? null : STILL_KNOWN))
  return c.json({ code: 200, ...(url !== null && { url }) } satisfies InferInput<typeof logoutAnswer>)
}
