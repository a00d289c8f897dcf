import type { InferInput } from 'valibot'
import type { logoutAnswer } from '../../contract/auth.ts'
import { sessionStub } from '../lib/access.ts'
import type { EdgeContext } from '../lib/context.ts'
import { clearSessionCookies, sessionIdOf } from '../lib/cookies.ts'

/**
 * Ends the session here and at the provider. Always succeeds: whatever the provider says, this browser is signed out. A
 * foreign provider ends its own session at the `url` of the answer.
 */
export async function logout(c: EdgeContext): Promise<Response> {
  const id = sessionIdOf(c)
  const url = id === null ? null : await sessionStub(c, id).end()
  clearSessionCookies(c)
  return c.json({ code: 200, ...(url !== null && { url }) } satisfies InferInput<typeof logoutAnswer>)
}
