import { AUTH_CALL_TIMEOUT_MS, XSRF_HEADER } from '../../../contract/constants.ts'
import { send } from '../../api/transport.ts'
import { xsrfToken } from '../../api/xsrf.ts'

/** Asks one of the edge's own auth routes; answers status and body, status 0 when no answer arrives. */
export async function post(path: string, input: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await send(
    path,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', [XSRF_HEADER]: xsrfToken() },
      body: JSON.stringify(input),
    },
    { fetch: (...args) => fetch(...args), timeout: AUTH_CALL_TIMEOUT_MS },
  )
  return { status: answer.status, body: ((answer.ok && answer.body) || {}) as Record<string, unknown> }
}
