import { type GenericSchema, type InferOutput, safeParse } from 'valibot'
import { AUTH_CALL_TIMEOUT_MS, XSRF_HEADER } from '../../contract/wire/constants.ts'
import { toServerFailure } from './server-failure.ts'
import type { Result } from './result.ts'
import { send } from './http-transport.ts'
import { xsrfToken } from './xsrf.ts'

export const jsonPostInit = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', [XSRF_HEADER]: xsrfToken() },
  body: JSON.stringify(body),
})

/**
 * Calls one of the edge's own routes. These routes use the session cookie instead of a token, so a 401 means that the
 * session has ended and a token refresh would not help.
 */
export async function callEdge<Schema extends GenericSchema>(
  path: string,
  init: RequestInit,
  schema: Schema,
  timeoutMs = AUTH_CALL_TIMEOUT_MS,
): Promise<Result<InferOutput<Schema>>> {
  const response = await send(path, init, { fetch: (...args) => fetch(...args), timeout: timeoutMs })
  if (!response.ok) return response
  const parsed = safeParse(schema, response.body)
  if (response.status >= 300) return toServerFailure(response.status, response.body)
  if (parsed.success) return { ok: true, data: parsed.output }
  return { ok: false, code: 'ERR_BAD_RESPONSE', msg: '', kind: 'ERR_BAD_RESPONSE', status: response.status }
}
