import { safeParse } from 'valibot'
import {
  formatGatewayPath,
  hasQueryPayload,
  type Call,
  type RequestOf,
  type ResponseOf,
} from '../../contract/wire/call.ts'
import { API_CALL_TIMEOUT_MS, XSRF_HEADER } from '../../contract/wire/constants.ts'
import { findEarlyIndex, getEarlyToken } from '../early/early-fetch.ts'
import type { RefreshOutcome } from './token-refresh.ts'
import { toServerFailure } from './server-failure.ts'
import type { RequestFailure, Result } from './result.ts'
import { send, type HttpResponse } from './http-transport.ts'

export interface RequestOptions {
  /** Values of the path's `{placeholders}`. */
  readonly params?: Readonly<Record<string, string>>
  /** Prevents the redirect to `/user/redirect`, for calls that a page makes before the current user is known. */
  readonly skipRedirect?: boolean
  readonly signal?: AbortSignal
  /** Milliseconds, default 30 s (OPEN-129); 0 disables the timeout. */
  readonly timeout?: number
  readonly clarifyTimeout?: boolean
}

export interface ClientEnv {
  readonly fetch: typeof fetch
  /** Web app token, which identifies the current token generation (OPEN-19); '' if there is none. */
  readonly token: () => string
  readonly xsrf: () => string
  readonly refresh: (rejectedToken: string) => Promise<RefreshOutcome>
  /**
   * Must redirect to `/user/redirect`. Called after a failure that counts as the end of the session, and after a 404
   * response to the camera streams call (OPEN-54).
   */
  readonly onSignedOut: () => void
}

/** Result of a successful call: the `data` of a response envelope, or the whole response if it has no envelope. */
export type DataOf<C> = ResponseOf<C> extends { data: infer D } ? D : ResponseOf<C>

/** Requirement row of the camera streams call. A 404 response to this call redirects like a 401 (OPEN-54). */
const CAMERA_STREAMS_REQUIREMENT = 'CALL-30'

let env: ClientEnv | null = null

/** Sets the client's dependencies. Call it once per page, before the first request. */
export function configureClient(clientEnv: ClientEnv): void {
  env = clientEnv
}

/**
 * Sends one call to the edge and parses the response by the call's schema. After a 401 or 403 that is not a CSRF
 * rejection, refreshes the token and, if the refresh succeeds, repeats the call once (OPEN-15). Returns a failed
 * request as a result instead of throwing; the caller must report the failure (src/stores/shell/report-failure.ts,
 * OPEN-133).
 */
export async function request<C extends Call>(
  call: C,
  input: RequestOf<C>,
  options: RequestOptions = {},
): Promise<Result<DataOf<C>>> {
  if (!env) throw new Error('The API client isn’t configured.')
  const result = await sendWithRefresh(env, call, input, options)
  if (!result.ok && !options.skipRedirect && mustRedirect(call, result)) env.onSignedOut()
  return result as Result<DataOf<C>>
}

/**
 * True if an unused early request of the document matches this call and input. `request` then uses the response to that
 * early request (src/early/early-fetch.ts).
 */
export const isSentEarly = (call: Call, input: object): boolean =>
  findEarlyIndex(...getEarlyRequestKey(call, input, {})) >= 0

const getEarlyRequestKey = (call: Call, input: unknown, options: RequestOptions) =>
  [call.method, buildUrl(call, input, options), hasQueryPayload(call.method) ? '' : JSON.stringify(input)] as const

async function sendWithRefresh(
  env: ClientEnv,
  call: Call,
  input: unknown,
  options: RequestOptions,
): Promise<Result<unknown>> {
  const usedToken = getEarlyToken(...getEarlyRequestKey(call, input, options)) ?? env.token()
  const first = await sendCall(env, call, input, options)
  if (!mayRefresh(first)) return toResult(call, first)
  const refreshed = await env.refresh(usedToken)
  if (refreshed !== 'refreshed') return { ...toServerFailure(401, first.body), code: '401' }
  return toResult(call, await sendCall(env, call, input, options))
}

function mayRefresh(response: HttpResponse | RequestFailure): response is HttpResponse {
  if (!response.ok || (response.status !== 401 && response.status !== 403)) return false
  return toServerFailure(response.status, response.body).code !== 'csrf'
}

function sendCall(
  env: ClientEnv,
  call: Call,
  input: unknown,
  options: RequestOptions,
): Promise<HttpResponse | RequestFailure> {
  const { fetch } = env
  const { timeout = API_CALL_TIMEOUT_MS, signal, clarifyTimeout } = options
  return send(buildUrl(call, input, options), buildRequestInit(env, call, input), {
    fetch,
    timeout,
    signal,
    clarifyTimeout,
  })
}

function buildUrl(call: Call, input: unknown, options: RequestOptions): string {
  const path = formatGatewayPath(call, options.params)
  const query = hasQueryPayload(call.method) ? new URLSearchParams(input as Record<string, string>).toString() : ''
  return query ? `${path}?${query}` : path
}

function buildRequestInit(env: ClientEnv, call: Call, input: unknown): RequestInit {
  const token = env.token()
  const headers: Record<string, string> = { accept: 'application/json', ...(token && { 'web-app-token': token }) }
  if (hasQueryPayload(call.method)) return { headers }
  headers['content-type'] = 'application/json'
  headers[XSRF_HEADER] = env.xsrf()
  return { method: call.method, headers, body: JSON.stringify(input) }
}

function toResult(call: Call, response: HttpResponse | RequestFailure): Result<unknown> {
  if (!response.ok) return response
  const { status, body } = response
  const code = (body as { code?: unknown } | null | undefined)?.code
  if (status >= 300 || (code !== undefined && code !== call.success)) return toServerFailure(status, body)
  const checked = call.response && safeParse(call.response, body)
  if (!checked?.success) return { ok: false, code: 'ERR_BAD_RESPONSE', msg: '', kind: 'ERR_BAD_RESPONSE', status }
  const output = checked.output as object
  return { ok: true, data: 'data' in output ? output.data : output }
}

/**
 * True if a failure counts as the end of the session: a 401 that is not a CSRF rejection (OPEN-15), or any unsuccessful
 * token refresh (OPEN-131). Callers must show no error message for such a failure (ERROR-39).
 */
export const isSignedOut = ({ code, status }: RequestFailure): boolean =>
  code === '401' || (status === 401 && code !== 'csrf')

function mustRedirect({ ledger }: Call, failure: RequestFailure): boolean {
  return (
    isSignedOut(failure) ||
    (ledger === CAMERA_STREAMS_REQUIREMENT && (failure.code === '404' || failure.status === 404))
  )
}
