import * as v from 'valibot'
import { santaRefresh, userLogout, userStatus } from '../../../contract/auth/user-calls.ts'
import { REQUEST_ID_HEADER, type Call } from '../../../contract/wire/call.ts'
import { mediaPass } from '../../../contract/media/media-token.ts'
import type { confirmCardSession, openCardSession } from '../../../contract/billing/payment-calls.ts'
import { SIGN_OUT_HEADER, type SignOutNote } from '../../../contract/auth/sign-out-note.ts'
import type { Settings } from '../settings.ts'
import { providerHeaders } from './provider-headers.ts'
import { providerDown } from '../edge-error.ts'
import { utf8 } from '../byte-encoding.ts'
import { fetchFromProvider, type ProxyResponse } from './call-provider.ts'

const TIMEOUT_MS = 4000

/**
 * Caller of the provider; `c.var` has both fields. `requestId` is the id of the browser's request. A `Session` omits
 * it, because its calls do not belong to a single request.
 */
export interface UserCallContext {
  readonly settings: Settings
  readonly requestId?: string
}

/**
 * Ends the token and the provider's single sign-on session behind it. `note` is for the embedded provider only. Throws
 * if the provider does not confirm.
 */
export async function callUserLogout(settings: Settings, token: string, note: SignOutNote | undefined): Promise<void> {
  const extra = settings.embedded && note ? { [SIGN_OUT_HEADER]: JSON.stringify(note) } : {}
  const { status } = await sendCall({ settings }, userLogout, token, null, { extra })
  // 401: the token has already ended at the provider, so nothing is left to end.
  if (status !== 200 && status !== 401) throw new Error(`${userLogout.path} answered ${status}.`)
}

/** Notifies the provider of a sign-in (OPEN-126). A failure is only logged. */
export async function callUserStatus(asking: UserCallContext, token: string): Promise<void> {
  try {
    const { status } = await sendCall(asking, userStatus, token, { source: 'login' })
    if (status !== 200) console.error(`${userStatus.path} answered ${status}.`)
  } catch {
    console.error(`${userStatus.path} was not answered.`)
  }
}

/**
 * Exchanges a valid access token for a new one; returns null if the provider rejects it. Throws an `EdgeError` if the
 * provider does not respond or sends anything else.
 */
export async function callSantaRefresh(settings: Settings, token: string): Promise<string | null> {
  const { status, body } = await sendCall({ settings }, santaRefresh, token, null, { query: '?tag=webview' })
  if (status === 401 || status === 403) return null
  const answer = v.safeParse(santaRefresh.response, JSON.parse(new TextDecoder().decode(body)))
  if (status !== 200 || !answer.success) throw providerDown()
  return answer.output.access_token
}

/**
 * Fetches the media token of the access token's sign-in; null if the provider does not know the token. Throws an
 * `EdgeError` if the provider does not respond or sends anything else.
 */
export async function callMediaPass(settings: Settings, token: string): Promise<string | null> {
  const { status, body } = await sendCall({ settings }, mediaPass, token, {})
  if (status === 401 || status === 403) return null
  const answer = v.safeParse(mediaPass.response, JSON.parse(new TextDecoder().decode(body)))
  if (status !== 200 || !answer.success) throw providerDown()
  return answer.output.data.pass
}

export interface ProviderResponse {
  readonly status: number
  readonly body: unknown
}

/** Sends a card page call for the token's account. Throws an `EdgeError` if there is no response. */
export async function callCardPage(
  asking: UserCallContext,
  token: string,
  call: typeof openCardSession | typeof confirmCardSession,
  payload: object,
): Promise<ProviderResponse> {
  const { status, body } = await sendCall(asking, call, token, payload)
  return { status, body: JSON.parse(new TextDecoder().decode(body)) as unknown }
}

async function sendCall(
  { settings, requestId = crypto.randomUUID() }: UserCallContext,
  { group, method, path }: Pick<Call, 'group' | 'method' | 'path'>,
  token: string,
  payload: object | null,
  { query = '', extra = {} }: { readonly query?: string; readonly extra?: Readonly<Record<string, string>> } = {},
): Promise<ProxyResponse> {
  const headers: Record<string, string> = {
    ...providerHeaders(settings, { group, content: '', token, userAgent: '', requestId }),
    ...(settings.hosts[group] === settings.PROVIDER_ORIGIN && { [REQUEST_ID_HEADER]: requestId }),
    ...extra,
  }
  if (payload) headers['content-type'] = 'application/json'
  const body = payload && utf8(JSON.stringify(payload))
  return fetchFromProvider(settings.hosts[group] + path + query, { method, headers, body }, TIMEOUT_MS)
}
