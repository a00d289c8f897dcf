import * as v from 'valibot'
import { santaRefresh, userLogout, userStatus } from '../../../contract/auth/user-calls.ts'
import { timeZoneName } from '../../../contract/account/home-time-zone.ts'
import { REQUEST_ID_HEADER, type Call } from '../../../contract/wire/call.ts'
import { issueMediaToken } from '../../../contract/media/media-token.ts'
import type { confirmCardSession, openCardSession } from '../../../contract/billing/payment-calls.ts'
import { SIGN_OUT_HEADER, type SignOutDetails } from '../../../contract/auth/sign-out-details.ts'
import { toReachableUrl, type Settings } from '../settings.ts'
import { buildProviderHeaders } from './provider-headers.ts'
import { createProviderDownError } from '../edge-error.ts'
import { encodeUtf8 } from '../byte-encoding.ts'
import { fetchFromProvider, type ProxyResponse } from './call-provider.ts'

const TIMEOUT_MS = 4000

/**
 * Context of a call to the provider; `c.var` has both fields. `requestId`: id of the browser's request. Calls of a
 * `Session` object have none, because they serve several requests.
 */
export interface UserCallContext {
  readonly settings: Settings
  readonly requestId?: string
}

/**
 * Revokes the token and ends the provider's single sign-on session to which it belongs. `note` is for the embedded
 * provider only. Throws if the provider does not confirm.
 */
export async function callUserLogout(
  settings: Settings,
  token: string,
  note: SignOutDetails | undefined,
): Promise<void> {
  const extraHeaders = settings.embedded && note ? { [SIGN_OUT_HEADER]: JSON.stringify(note) } : {}
  const { status } = await sendCall({ settings }, userLogout, token, null, { extraHeaders })
  // 401: the token has already ended at the provider, so nothing is left to end.
  if (status !== 200 && status !== 401) throw new Error(`${userLogout.path} responded with ${status}.`)
}

/**
 * Notifies the provider of a sign-in (OPEN-126). `timeZone`: cookie of the browser; ignored if it is no time zone. A
 * failure is only logged.
 */
export async function callUserStatus(
  context: UserCallContext,
  token: string,
  timeZone: string | undefined,
): Promise<void> {
  const zone = v.safeParse(timeZoneName, timeZone)
  const payload = { source: 'login', ...(zone.success && { time_zone: zone.output }) }
  try {
    const { status } = await sendCall(context, userStatus, token, payload)
    if (status !== 200) console.error(`${userStatus.path} responded with ${status}.`)
  } catch {
    console.error(`No response from ${userStatus.path}.`)
  }
}

/**
 * Exchanges a valid access token for a new one; returns null if the provider rejects it. Throws an `EdgeError` if the
 * provider does not respond or sends an invalid response.
 */
export async function callSantaRefresh(settings: Settings, token: string): Promise<string | null> {
  const { status, body } = await sendCall({ settings }, santaRefresh, token, null, { query: '?tag=webview' })
  if (status === 401 || status === 403) return null
  const parsed = v.safeParse(santaRefresh.response, JSON.parse(new TextDecoder().decode(body)))
  if (status !== 200 || !parsed.success) throw createProviderDownError()
  return parsed.output.access_token
}

/**
 * Fetches the media token for the grant of the access token; returns null if the provider does not know the access
 * token. Throws an `EdgeError` if the provider does not respond or sends an invalid response.
 */
export async function callMediaTokenIssue(settings: Settings, token: string): Promise<string | null> {
  const { status, body } = await sendCall({ settings }, issueMediaToken, token, {})
  if (status === 401 || status === 403) return null
  const parsed = v.safeParse(issueMediaToken.response, JSON.parse(new TextDecoder().decode(body)))
  if (status !== 200 || !parsed.success) throw createProviderDownError()
  return parsed.output.data.pass
}

export interface ProviderResponse {
  readonly status: number
  readonly body: unknown
}

/** Sends a card page call for the token's account. Throws an `EdgeError` if there is no valid response. */
export async function callCardPage(
  context: UserCallContext,
  token: string,
  call: typeof openCardSession | typeof confirmCardSession,
  payload: object,
): Promise<ProviderResponse> {
  const { status, body } = await sendCall(context, call, token, payload)
  return { status, body: JSON.parse(new TextDecoder().decode(body)) as unknown }
}

async function sendCall(
  { settings, requestId = crypto.randomUUID() }: UserCallContext,
  { group, method, path }: Pick<Call, 'group' | 'method' | 'path'>,
  token: string,
  payload: object | null,
  {
    query = '',
    extraHeaders = {},
  }: { readonly query?: string; readonly extraHeaders?: Readonly<Record<string, string>> } = {},
): Promise<ProxyResponse> {
  const headers: Record<string, string> = {
    ...buildProviderHeaders(settings, { group, content: '', token, userAgent: '', requestId }),
    ...(settings.hosts[group] === settings.PROVIDER_ORIGIN && { [REQUEST_ID_HEADER]: requestId }),
    ...extraHeaders,
  }
  if (payload) headers['content-type'] = 'application/json'
  const body = payload && encodeUtf8(JSON.stringify(payload))
  const url = toReachableUrl(settings, settings.hosts[group] + path + query)
  return fetchFromProvider(url, { method, headers, body }, TIMEOUT_MS)
}
