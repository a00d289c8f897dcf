import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'

export type FrontRequest = IncomingMessage | Http2ServerRequest

/**
 * Source of the header `CF-Connecting-IP`, from which the Workers read the client's address (client-address.ts).
 * `none`: the header is removed. `socket`: the peer of the connection. `proxy`: the proxy in front, which sets it.
 */
export type ClientAddressSource = 'none' | 'socket' | 'proxy'

/**
 * Returns the source for a front that listens on `host`. On loopback without a proxy, all clients are on this machine
 * and share one address.
 */
export function getClientAddressSource(host: string, trustProxy: string | undefined): ClientAddressSource {
  if (trustProxy === '1') return 'proxy'
  return /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host) ? 'none' : 'socket'
}

const CLIENT_ADDRESS_HEADER = 'cf-connecting-ip'
/** Headers of one connection (RFC 9110, sections 7.6.1 and 11.7). HTTP/2 forbids most of them. */
const CONNECTION_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
])
/** The front itself answers `Expect: 100-continue`, and sets the host, the merged cookies and the length. */
const REPLACED_HEADERS = new Set(['expect', 'host', 'cookie', 'content-length'])
/** Headers that only Cloudflare, a proxy or Miniflare may set. */
const PROXY_HEADER = /^(?:cf-|mf-|x-forwarded-|forwarded$|x-real-ip$|true-client-ip$)/

/**
 * Returns the headers of the request to the Worker, as a flat list of names and values. Sets `CF-Connecting-IP` as
 * `source` says, and removes all other headers that only a proxy may set. Ignores names in `Connection`: with them, a
 * client could remove headers on which the Worker relies.
 */
export function createWorkerHeaders(request: FrontRequest, source: ClientAddressSource): string[] {
  const headers: string[] = []
  const cookies: string[] = []
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name, value] = [request.rawHeaders[at] ?? '', request.rawHeaders[at + 1] ?? '']
    const key = name.toLowerCase()
    if (key === 'cookie') cookies.push(value)
    if (key.startsWith(':') || CONNECTION_HEADERS.has(key) || REPLACED_HEADERS.has(key)) continue
    if (PROXY_HEADER.test(key)) continue
    headers.push(name, value)
  }
  const host = getHost(request)
  if (host !== undefined) headers.push('Host', host)
  // HTTP/2 clients may split the cookies into several headers (RFC 9113, section 8.2.3).
  if (cookies.length > 0) headers.push('Cookie', cookies.join('; '))
  const address = findClientAddress(request, source)
  if (address) headers.push('CF-Connecting-IP', address)
  return headers
}

/** Returns the host that the client requested; undefined for an HTTP/1.0 client that sent none. */
export const getHost = (request: FrontRequest): string | undefined =>
  'authority' in request && request.authority ? request.authority : request.headers.host

function findClientAddress(request: FrontRequest, source: ClientAddressSource): string | undefined {
  if (source === 'none') return undefined
  const header = request.headers[CLIENT_ADDRESS_HEADER]
  if (source === 'proxy') return typeof header === 'string' ? header : undefined
  return request.socket.remoteAddress?.replace(/^::ffff:/, '').replace(/%.*$/, '')
}

function listConnectionNames({ connection }: IncomingHttpHeaders): ReadonlySet<string> {
  if (connection === undefined) return EMPTY_NAMES
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()))
}
const EMPTY_NAMES: ReadonlySet<string> = new Set()

/** Returns the headers of the Worker's response that the client gets. Every response forbids MIME sniffing. */
export function createClientHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = listConnectionNames(headers)
  const result: OutgoingHttpHeaders = {}
  for (const [name, value] of Object.entries(headers))
    if (!CONNECTION_HEADERS.has(name) && !named.has(name) && name !== 'cf-cache-status') result[name] = value
  result['x-content-type-options'] = 'nosniff'
  return result
}
