import * as v from 'valibot'
import { santaRefresh, userLogout, userStatus } from '../../contract/auth.ts'
import type { Settings } from './env.ts'
import { providerHeaders } from './headers.ts'
import { providerDown } from './answers.ts'
import { utf8 } from './bytes.ts'
import { askProvider, type Answer } from './upstream.ts'

const TIMEOUT_MS = 4000

/** Ends the token and the provider's single-sign-on session behind it. Throws when the provider does not confirm. */
export async function callUserLogout(settings: Settings, token: string): Promise<void> {
  const { status } = await ask(settings, userLogout, token, null)
  // 401: the token is over at the provider already, and nothing that it could end is left.
  if (status !== 200 && status !== 401) throw new Error(`${userLogout.path} answered ${status}.`)
}

/** Tells the provider of a sign-in (OPEN-126). Nobody waits for it, and a failure changes nothing. */
export async function callUserStatus(settings: Settings, token: string): Promise<void> {
  try {
    const { status } = await ask(settings, userStatus, token, { source: 'login' })
    if (status !== 200) console.error(`${userStatus.path} answered ${status}.`)
  } catch {
    console.error(`${userStatus.path} was not answered.`)
  }
}

/**
 * A fresh access token for one that is still good, or null when the provider refuses that one. Throws a `EdgeRefusal` when it
 * does not answer, or answers something else.
 */
export async function callSantaRefresh(settings: Settings, token: string): Promise<string | null> {
  const { status, body } = await ask(settings, santaRefresh, token, null, '?tag=webview')
  if (status === 401 || status === 403) return null
  const answer = v.safeParse(santaRefresh.response, JSON.parse(new TextDecoder().decode(body)))
  if (status !== 200 || !answer.success) throw providerDown()
  return answer.output.access_token
}

async function ask(
  settings: Settings,
  { group, method, path }: typeof userLogout | typeof userStatus | typeof santaRefresh,
  token: string,
  payload: object | null,
  query = '',
): Promise<Answer> {
  const requestId = crypto.randomUUID()
  const headers = providerHeaders(settings, { group, content: '', token, userAgent: '', requestId })
  if (payload) headers['content-type'] = 'application/json'
  const body = payload && utf8(JSON.stringify(payload))
  return askProvider(settings.hosts[group] + path + query, { method, headers, body }, TIMEOUT_MS)
}
