import { request, type IncomingHttpHeaders } from 'node:http'
import { request as secureRequest } from 'node:https'
import { XSRF_COOKIE, XSRF_HEADER } from '../../contract/wire/constants.ts'
import { PENDING_AUTHORIZATION_COOKIE, SESSION_COOKIE, toCookieName } from '../../contract/wire/cookies.ts'

interface VisitorRequestInit {
  method?: string
  body?: string
  headers?: Record<string, string>
}

/** HTTP client that acts as a browser: stores cookies per origin and sends Fetch Metadata. Follows no redirects. */
export class Visitor {
  readonly portalOrigin: string
  readonly cookies = new Map<string, Map<string, string>>()
  /** Last `Set-Cookie` header of the portal, by cookie name. */
  readonly setCookieHeaders = new Map<string, string>()

  /** PEM of the certificate authority that replaces the default ones; undefined for the defaults. */
  readonly certificateAuthority: string | undefined

  /** By origin: local port for a hostname without a DNS entry, or path of a Unix socket that leads to the server. */
  readonly localPorts: Readonly<Record<string, number | string>>

  constructor(
    portalOrigin: string,
    certificateAuthority?: string,
    localPorts: Readonly<Record<string, number | string>> = {},
  ) {
    this.portalOrigin = portalOrigin
    this.certificateAuthority = certificateAuthority
    this.localPorts = localPorts
  }

  getCookie(name: string, origin = this.portalOrigin): string | undefined {
    return this.cookies.get(origin)?.get(name)
  }

  listCookieNames(origin = this.portalOrigin): string[] {
    return [...(this.cookies.get(origin)?.keys() ?? [])]
  }

  /** Session cookie of the portal; '' deletes the cookie. */
  get sessionCookie(): string | undefined {
    return this.getCookie(toCookieName(SESSION_COOKIE, this.portalOrigin))
  }
  set sessionCookie(value: string) {
    this.setCookie(toCookieName(SESSION_COOKIE, this.portalOrigin), value)
  }

  /** Returns the names of the portal's cookies of pending authorization requests. */
  listPendingAuthorizations(): string[] {
    const prefix = `${toCookieName(PENDING_AUTHORIZATION_COOKIE, this.portalOrigin)}-`
    return this.listCookieNames().filter((name) => name.startsWith(prefix))
  }

  setCookie(name: string, value: string, origin = this.portalOrigin): void {
    const jar = this.cookies.get(origin) ?? new Map<string, string>()
    this.cookies.set(origin, jar)
    if (value === '') jar.delete(name)
    else jar.set(name, value)
  }

  /** Sends a request with the cookies of its origin, and stores the cookies of the response. */
  async fetch(href: string, init: VisitorRequestInit = {}): Promise<Response> {
    const url = new URL(href, this.portalOrigin)
    const jar = [...(this.cookies.get(this.getStoreKey(url)) ?? [])]
    const headers = { ...(jar.length > 0 && { cookie: jar.map((pair) => pair.join('=')).join('; ') }), ...init.headers }
    const answer = await sendRequest(url, { ...init, headers }, this.certificateAuthority, this.localPorts[url.origin])
    for (const line of answer.headers.getSetCookie()) {
      if (!this.acceptsCookie(url, line)) continue
      const [pair = '', ...attributes] = line.split(';')
      const at = pair.indexOf('=')
      const isExpired = attributes.some(
        (attribute) => /^\s*max-age=0$/i.test(attribute) || /^\s*expires=thu, 01 jan 1970/i.test(attribute),
      )
      this.setCookie(pair.slice(0, at), isExpired ? '' : pair.slice(at + 1), this.getStoreKey(url))
      if (url.origin === this.portalOrigin) this.setCookieHeaders.set(pair.slice(0, at), line)
    }
    return answer
  }

  /** Returns the key in `cookies` under which cookies of `url` are stored. */
  protected getStoreKey(url: URL): string {
    return url.origin
  }

  /** `line`: value of a `Set-Cookie` header. */
  protected acceptsCookie(_url: URL, _line: string): boolean {
    return true
  }

  get(path: string): Promise<Response> {
    return this.fetch(path, { headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' } })
  }

  post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Response> {
    return this.fetch(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        origin: this.portalOrigin,
        'sec-fetch-site': 'same-origin',
        [XSRF_HEADER]: this.getCookie(XSRF_COOKIE) ?? '',
        ...headers,
      },
    })
  }

  /** Opens a page with the Fetch Metadata of a cross-site link or redirect. */
  navigate(url: string): Promise<Response> {
    return this.fetch(url, { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } })
  }
}

/**
 * Visitor with the cookie rules of Safari: stores no `Secure` cookie over http, not even from loopback, and rejects
 * name prefixes without `Secure`. All ports of a host share their cookies, as in every browser.
 */
export class SafariVisitor extends Visitor {
  /** All accepted `Set-Cookie` headers, of all servers. */
  readonly acceptedCookies: string[] = []
  readonly rejectedCookies: string[] = []

  /** `origin` may be any port of the host. */
  override getCookie(name: string, origin = this.portalOrigin): string | undefined {
    return super.getCookie(name, this.getStoreKey(new URL(origin)))
  }

  protected override getStoreKey(url: URL): string {
    return url.hostname
  }

  protected override acceptsCookie({ protocol }: URL, line: string): boolean {
    const isSecure = /;\s*secure(?:;|$)/i.test(line)
    const isAccepted = isSecure ? protocol === 'https:' : !/^__(?:Host|Secure)-/i.test(line)
    ;(isAccepted ? this.acceptedCookies : this.rejectedCookies).push(line)
    return isAccepted
  }
}

let addressCount = 0
const nextClientAddress = () => `198.18.${(addressCount += 1) >> 8}.${addressCount & 255}`

/** Visitor with its own client IP address. A Worker with `TRUST_PROXY` counts attempts by this address. */
export class VisitorWithAddress extends Visitor {
  readonly address: string

  constructor(portalOrigin: string, address = nextClientAddress()) {
    super(portalOrigin)
    this.address = address
  }

  override fetch(url: string, init: VisitorRequestInit = {}): Promise<Response> {
    return super.fetch(url, { ...init, headers: { 'cf-connecting-ip': this.address, ...init.headers } })
  }
}

/**
 * Sends the request without `fetch`, because `fetch` sets its own `Sec-Fetch-Mode` header, and tests must choose this
 * header.
 */
function sendRequest(
  url: URL,
  { method = 'GET', body, headers = {} }: VisitorRequestInit,
  ca?: string,
  port?: number | string,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const localTarget =
      typeof port === 'string'
        ? { socketPath: port }
        : port !== undefined && { hostname: '127.0.0.1', port, servername: 'localhost' }
    const requestHeaders = { host: url.host, ...headers, ...length }
    const options = { method, headers: requestHeaders, ...(ca !== undefined && { ca }), ...localTarget }
    const out = (url.protocol === 'https:' ? secureRequest : request)(url, options, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const status = answer.statusCode ?? 0
        const content = [204, 304].includes(status) ? null : Buffer.concat(chunks)
        resolve(new Response(content, { status, headers: listHeaders(answer.headers) }))
      })
    })
    out.on('error', reject)
    out.end(body)
  })
}

function listHeaders(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((item): [string, string] => [name, item]),
  )
}
