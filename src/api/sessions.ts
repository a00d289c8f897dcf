import { type GenericSchema, type InferInput, type InferOutput, safeParse } from 'valibot'
import { endSessionsAnswer, type endSessionsRequest, sessionsAnswer } from '../../contract/auth.ts'
import { AUTH_CALL_TIMEOUT_MS, XSRF_HEADER } from '../../contract/constants.ts'
import { refused } from './refused.ts'
import type { Result } from './result.ts'
import { send } from './transport.ts'
import { xsrfToken } from './xsrf.ts'

export const SESSIONS_PATH = '/api/auth/sessions'

/** Where the account is signed in. */
export const askSessions = (): Promise<Result<InferOutput<typeof sessionsAnswer>>> =>
  exchange(SESSIONS_PATH, { headers: { accept: 'application/json' } }, sessionsAnswer)

/** Ends one session, or all others; answers how many have ended. */
export function endSessions(
  which: InferInput<typeof endSessionsRequest>,
): Promise<Result<InferOutput<typeof endSessionsAnswer>>> {
  const headers = { 'content-type': 'application/json', [XSRF_HEADER]: xsrfToken() }
  return exchange(`${SESSIONS_PATH}/end`, { method: 'POST', headers, body: JSON.stringify(which) }, endSessionsAnswer)
}

/** The edge's own routes need no token, so that nothing is refreshed for them: 401 means that the session has ended. */
async function exchange<Schema extends GenericSchema>(
  path: string,
  init: RequestInit,
  schema: Schema,
): Promise<Result<InferOutput<Schema>>> {
  const answer = await send(path, init, { fetch: (...asked) => fetch(...asked), timeout: AUTH_CALL_TIMEOUT_MS })
  if (!answer.ok) return answer
  const parsed = safeParse(schema, answer.body)
  if (answer.status >= 300) return refused(answer.status, answer.body)
  if (parsed.success) return { ok: true, data: parsed.output }
  return { ok: false, code: 'ERR_BAD_RESPONSE', msg: '', kind: 'ERR_BAD_RESPONSE', status: answer.status }
}
