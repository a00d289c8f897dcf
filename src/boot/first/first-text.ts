import { gatewayPath } from '../../../contract/call.ts'
import { SIGNED_IN_COOKIE, XSRF_COOKIE, XSRF_HEADER } from '../../../contract/constants.ts'
import { DEFAULT_ENVIRONMENT } from '../../../contract/environment.ts'
import type { EarlyExchange } from '../../first/asked.ts'
import type { AnyQuestion, Known } from '../../first/question.ts'
import { KEYS } from '../../stores/storage/storage.ts'

const FACTS = {
  me: '/api/auth/me',
  marker: SIGNED_IN_COOKIE,
  xsrfCookie: XSRF_COOKIE,
  xsrfHeader: XSRF_HEADER,
  environment: DEFAULT_ENVIRONMENT,
  keys: { token: KEYS.webAppToken, home: KEYS.homeId, cameras: KEYS.userCameras, free: KEYS.noServices },
}

/** A question as the document holds it. */
interface Row {
  readonly name: string
  readonly method: string
  readonly url: string
  readonly fixed: object
  readonly about: (known: Known, fixed: object, before?: unknown) => unknown
  readonly input: (about: unknown, fixed: object) => object
  readonly after: string | undefined
  readonly answered: ((data: unknown, fixed: object) => void) | undefined
}

/**
 * Runs inside every protected document, so it uses nothing from outside: asks who is signed in and, where somebody is marked
 * as such and storage works, the questions of the page. The page takes the answers (api/early-fetch.ts).
 */
function run(facts: typeof FACTS, rows: readonly Row[]): void {
  const early: EarlyExchange[] = (window.early = [])
  const accept = 'application/json'
  const quiet = () => {}
  const send = (method: string, url: string, headers: Record<string, string>, body = '') => {
    const at = Date.now()
    const answer = fetch(url, { method, headers, ...(body && { body }) }).then(async (response) => {
      const text = await response.text()
      exchange.ms = Date.now() - at
      return { status: response.status, text }
    })
    const exchange: EarlyExchange = { method, url, body, at, answer }
    early.push(exchange)
    answer.catch(quiet)
    return answer
  }
  void send('GET', facts.me, { accept })
  const cookie = (name: string) => new RegExp(`(?:^|; )${name}=([^;]+)`).exec(document.cookie)?.[1]
  const xsrf = cookie(facts.xsrfCookie)
  if (cookie(facts.marker) !== '1' || !xsrf) return
  let token: string | null
  let known: Known
  try {
    const read = (key: string) => localStorage.getItem(key)
    token = read(facts.keys.token)
    known = {
      now: Date.now(),
      search: location.search,
      environment: document.documentElement.dataset['environment'] ?? facts.environment,
      // What is kept without a session may be another person's.
      homeId: token && read(facts.keys.home),
      cameras: list(token && read(facts.keys.cameras)),
      isFree: !!read(facts.keys.free),
    }
  } catch {
    // Storage is blocked: the page asks.
    return
  }
  const asked: Record<string, Promise<unknown>> = {}
  const ask = async (row: Row, before?: unknown): Promise<unknown> => {
    const { name, method, url, fixed, after } = row
    const about = row.about(known, fixed, before)
    if (about === null) {
      const data = before ? null : await asked[after ?? name]
      return data && ask(row, data)
    }
    const isRead = method === 'GET'
    const headers = {
      accept,
      ...(token && { 'web-app-token': token }),
      ...(!isRead && { 'content-type': accept, [facts.xsrfHeader]: decodeURIComponent(xsrf) }),
    }
    const { status, text } = await send(method, url, headers, isRead ? '' : JSON.stringify(row.input(about, fixed)))
    const { data } = JSON.parse(text) as { data: unknown }
    if (status < 300) row.answered?.(data, fixed)
    return data
  }
  for (const row of rows) (asked[row.name] = ask(row)).catch(quiet)
  function list(text: string | null): Known['cameras'] {
    try {
      const value: unknown = JSON.parse(text ?? '')
      return Array.isArray(value) ? (value as Known['cameras']) : []
    } catch {
      return []
    }
  }
}

/** The text of the inline script that a protected page begins with; `questions`: those of its table in src/first. */
export function firstText(questions: readonly AnyQuestion[]): string {
  const rows = questions.map(({ name, call, fixed, about, input, after, answered }) =>
    [
      `name:${JSON.stringify(name)}`,
      `method:${JSON.stringify(call.method)}`,
      `url:${JSON.stringify(gatewayPath(call))}`,
      `fixed:${JSON.stringify(fixed)}`,
      `about:${about.toString()}`,
      `input:${input.toString()}`,
      ...(after ? [`after:${JSON.stringify(after)}`] : []),
      ...(answered ? [`answered:${answered.toString()}`] : []),
    ].join(),
  )
  return `(${run.toString()})(${JSON.stringify(FACTS)},[${rows.map((row) => `{${row}}`).join()}])`
}
