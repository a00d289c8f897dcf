import { formatGatewayPath } from '../../../contract/wire/call.ts'
import {
  PREFER_200_IF_SIGNED_OUT,
  SIGNED_IN_COOKIE,
  XSRF_COOKIE,
  XSRF_HEADER,
} from '../../../contract/wire/constants.ts'
import { DEFAULT_ENVIRONMENT } from '../../../contract/environment.ts'
import type { EarlyExchange } from '../../early/early-exchange.ts'
import type { AnyEarlyRequest, StoredSessionKey, EarlyContext } from '../../early/early-request.ts'
import { STORAGE_KEYS } from '../../stores/storage/storage-keys.ts'

const SCRIPT_CONSTANTS = {
  me: '/api/auth/me',
  usual: { prefer: PREFER_200_IF_SIGNED_OUT },
  marker: SIGNED_IN_COOKIE,
  xsrfCookie: XSRF_COOKIE,
  xsrfHeader: XSRF_HEADER,
  environment: DEFAULT_ENVIRONMENT,
  keys: {
    token: STORAGE_KEYS.webAppToken,
    home: STORAGE_KEYS.homeId,
    cameras: STORAGE_KEYS.userCameras,
    free: STORAGE_KEYS.freeView,
  },
}

interface InlineRequest {
  readonly method: string
  readonly url: string
  readonly fixed: object
  readonly about: (context: EarlyContext, fixed: object) => unknown
  readonly input: (about: unknown, fixed: object) => object
  readonly sent: ((fixed: object) => void) | undefined
  readonly answered: ((data: unknown, fixed: object) => void) | undefined
  readonly pictures: ((data: unknown) => readonly string[]) | undefined
}

type ScriptConstants = typeof SCRIPT_CONSTANTS
type SendEarlyRequest = (
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: string,
) => EarlyExchange['answer']

/**
 * Returns a function that sends a request and stores the response with `token` for later use by the page
 * (src/early/early-fetch.ts).
 */
function createSender(token: string): SendEarlyRequest {
  const early: EarlyExchange[] = (window.early = [])
  return (method, url, headers, body = '') => {
    const at = Date.now()
    const responsePromise = fetch(url, { method, headers, ...(body && { body }) }).then(async (response) => {
      const text = await response.text()
      exchange.ms = Date.now() - at
      return { status: response.status, text }
    })
    const exchange: EarlyExchange = { method, url, body, at, token, answer: responsePromise }
    early.push(exchange)
    responsePromise.catch(() => {})
    return responsePromise
  }
}

/**
 * Reads the stored token, and the stored data that the early requests need, from this browser. Returns null if storage
 * is blocked.
 */
function readStoredContext({
  environment,
  keys,
}: ScriptConstants): { token: string | null; context: EarlyContext } | null {
  const parseList = (text: string | null): EarlyContext['cameras'] => {
    try {
      const value: unknown = JSON.parse(text!)
      return Array.isArray(value) ? (value as EarlyContext['cameras']) : []
    } catch {
      return []
    }
  }
  try {
    const read = (key: string) => localStorage.getItem(key)
    const token = read(keys.token)
    const context = {
      now: Date.now(),
      search: location.search,
      environment: document.documentElement.dataset['environment'] ?? environment,
      // Without a token, ignores the stored home and cameras, because they may belong to another account.
      homeId: token && read(keys.home),
      cameras: parseList(token && read(keys.cameras)),
      isFree: !!read(keys.free),
    }
    return { token, context }
  } catch {
    return null
  }
}

/**
 * Requests the current user. Also sends the page's early requests if the marker cookie and the CSRF cookie are set and
 * storage works.
 */
function sendEarlyRequests(
  constants: ScriptConstants,
  rows: readonly InlineRequest[],
  send: SendEarlyRequest,
  stored: ReturnType<typeof readStoredContext>,
): void {
  const accept = 'application/json'
  void send('GET', constants.me, constants.usual)
  const cookie = (name: string) => new RegExp(`(?:^|; )${name}=([^;]+)`).exec(document.cookie)?.[1]
  const xsrf = cookie(constants.xsrfCookie)
  if (cookie(constants.marker) !== '1' || !xsrf || !stored) return
  const { token, context } = stored
  const request = async ({
    method,
    url,
    fixed,
    about,
    input,
    sent,
    answered,
    pictures,
  }: InlineRequest): Promise<void> => {
    const subject = about(context, fixed)
    if (!subject) return
    const isRead = method === 'GET'
    const headers = {
      accept,
      ...(token && { 'web-app-token': token }),
      ...(!isRead && { 'content-type': accept, [constants.xsrfHeader]: decodeURIComponent(xsrf) }),
    }
    const answer = send(method, url, headers, isRead ? '' : JSON.stringify(input(subject, fixed)))
    sent?.(fixed)
    const { status, text } = await answer
    if (status > 299) return
    const { data } = JSON.parse(text) as { data: unknown }
    if (pictures)
      window.pictures = pictures(data).map((src) => Object.assign(new Image(), { fetchPriority: 'high', src }))
    answered?.(data, fixed)
  }
  for (const row of rows) request(row).catch(() => {})
}

/**
 * Holds a press of one of `keys` until the code that handles the key has loaded (src/stores/shell/held-shortcut.ts).
 * The styles of `data-held` show that the page is busy. `data-search` shows the skeleton of a search in the URL.
 */
function holdShortcuts(keys: string): void {
  const { dataset } = document.documentElement
  if (/[?&]search\b/.test(location.search)) dataset['search'] = ''
  addEventListener('keydown', (event) => {
    const { key, target } = event
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!keys.includes(key) || dataset['handled']?.includes(key)) return
    if ((target as Element).closest('input, textarea, select, dialog')) return
    event.preventDefault()
    dataset['held'] = key
  })
}

/**
 * Returns the inline script at the start of a protected page; `requests`: the page's table in src/early/requests;
 * `heldKeys`: keys that the page holds. The script contains the text of the functions above and in that table, so these
 * functions may not use outer variables.
 */
export function renderInlineScript(requests: readonly AnyEarlyRequest[], heldKeys = ''): string {
  const rows = requests.map((earlyRequest) => {
    const { call, fixed, about, input, params, kept: sessionKeys, sent, answered, pictures } = earlyRequest
    return [
      `method:${JSON.stringify(call.method)}`,
      `fixed:${renderConstants(fixed)}`,
      ...(sessionKeys
        ? renderSessionRequest(earlyRequest, sessionKeys)
        : [`url:${JSON.stringify(formatGatewayPath(call, params))}`, `about:${about.toString()}`]),
      `input:${input.toString()}`,
      ...(sent ? [`sent:${sent.toString()}`] : []),
      ...(answered ? [`answered:${answered.toString()}`] : []),
      ...(pictures ? [`pictures:${pictures.toString()}`] : []),
    ].join()
  })
  const table = `[${rows.map((row) => `{${row}}`).join()}]`
  const parts = `facts=${JSON.stringify(SCRIPT_CONSTANTS)},stored=(${readStoredContext.toString()})(facts),send=(${createSender.toString()})(stored?.token??'')`
  const holding = heldKeys && `;(${holdShortcuts.toString()})(${JSON.stringify(heldKeys)})`
  return `{let ${parts};(${sendEarlyRequests.toString()})(facts,${table},send,stored)${holding}}`
}

const renderConstants = (constants: object): string =>
  `{${Object.entries(constants)
    .map(([name, value]) => `${name}:${typeof value === 'function' ? String(value) : JSON.stringify(value)}`)
    .join()}}`

/**
 * Returns script text for `url` and `about` of a request whose URL contains stored session values. The script reads the
 * values when it sends the request.
 */
function renderSessionRequest(
  { call, params, about }: AnyEarlyRequest,
  sessionKeys: Readonly<Record<string, StoredSessionKey>>,
): string[] {
  const read = (name: StoredSessionKey | 'webAppToken') => `localStorage.getItem(${JSON.stringify(STORAGE_KEYS[name])})`
  const url = Object.values(sessionKeys).reduce(
    (text, name) => text.replace(name, `"+encodeURIComponent(${read(name)})+"`),
    JSON.stringify(formatGatewayPath(call, { ...params, ...sessionKeys })),
  )
  const isStoredExpression = (['webAppToken', ...Object.values(sessionKeys)] as const).map(read).join('&&')
  return [`get url(){return ${url}}`, `about:(...values)=>${isStoredExpression}?(${about.toString()})(...values):null`]
}
