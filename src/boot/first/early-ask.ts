import { SIGNED_IN_COOKIE, XSRF_COOKIE, XSRF_HEADER } from '../../../contract/constants.ts'
import { KEYS } from '../../stores/storage/storage.ts'

/** What the document offers to the scripts within it, and the answers on their way (early.ts). */
export interface Early extends Partial<Record<'me' | 'homes' | 'devices' | 'streams' | 'events', Promise<Response>>> {
  /** Of the session that this browser remembers; what is kept without one may be another person’s. */
  token?: string | null
  /** Asks as the page would. Missing where nobody is marked as signed in, or storage is blocked: the page asks itself. */
  ask?: (url: string, body?: object) => Promise<Response>
}

interface Facts {
  readonly meUrl: string
  readonly marker: string
  readonly xsrfCookie: string
  readonly xsrfHeader: string
  readonly tokenKey: string
}

/** Runs inside every protected document, so it uses nothing from outside: asks who is signed in, and lets others ask. */
function prepare({ meUrl, marker, xsrfCookie, xsrfHeader, tokenKey }: Facts): void {
  const early: Early = (window.early = {})
  const accept = 'application/json'
  const cookie = (name: string) => new RegExp(`(?:^|; )${name}=([^;]+)`).exec(document.cookie)?.[1]
  const listen = (answer: Promise<Response>) => {
    answer.catch(() => {})
    return answer
  }
  early.me = listen(fetch(meUrl, { headers: { accept } }))
  try {
    const token = (early.token = localStorage.getItem(tokenKey))
    const xsrf = cookie(xsrfCookie)
    if (cookie(marker) !== '1' || !xsrf) return
    early.ask = (url, body) => {
      const headers = { accept, ...(token && { 'web-app-token': token }) }
      const writing = { 'content-type': accept, [xsrfHeader]: decodeURIComponent(xsrf) }
      return listen(
        body
          ? fetch(url, { method: 'POST', headers: { ...headers, ...writing }, body: JSON.stringify(body) })
          : fetch(url, { headers }),
      )
    }
  } catch {
    // Storage is blocked.
  }
}

/** The text of the inline script that every protected document begins with. */
export const EARLY_ASK = `(${prepare.toString()})(${JSON.stringify({
  meUrl: '/api/auth/me',
  marker: SIGNED_IN_COOKIE,
  xsrfCookie: XSRF_COOKIE,
  xsrfHeader: XSRF_HEADER,
  tokenKey: KEYS.webAppToken,
} satisfies Facts)})`
