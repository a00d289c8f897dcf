import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { createRequire } from 'node:module'
import { createLogoFile } from '../../../contract/brand.ts'
import { listPermittedNames, type ServerCertificate } from './certificate-authority.ts'
import { listLanAddresses } from './lan-addresses.ts'
import type { LanListener } from './lan-listeners.ts'
import { CERTIFICATE_FILE } from './trust-guides.ts'
import { renderTrustPage, TRUSTED_STYLE, type TrustPageContent } from './trust-page.ts'
import { TRUST_STYLE } from './trust-style.ts'

export interface TrustServerOptions {
  readonly host: string
  readonly port: number
  readonly tls: ServerCertificate
  /** PEM text of the authority's certificate, which visitors download. */
  readonly certificate: string
  readonly content: TrustPageContent
}

/** Returns the content of the certificate page. `port`: port of the page. `pem`: certificate of the authority. */
export function createTrustContent(pem: string, portalOrigin: string, port: number): TrustPageContent {
  const { hostname } = new URL(portalOrigin)
  return {
    certificate: new X509Certificate(pem),
    host: hostname.replace(/^\[|\]$/g, ''),
    names: listPermittedNames({ pem }),
    addresses: listLanAddresses(),
    portalOrigin,
    trustedStyleUrl: `https://${hostname}:${port}${TRUSTED_STYLE_PATH}`,
  }
}

const TRUSTED_STYLE_PATH = '/trusted.css'
/** First byte of a TLS connection: a handshake record (RFC 8446, section 5.1). */
const TLS_HANDSHAKE_BYTE = 0x16
/** Time that a client has for its first byte and for a request, ms. */
const CLIENT_TIMEOUT_MS = 10_000
/** Time after which every connection ends, ms. */
const CONNECTION_MS = 30_000
/** Maximum number of open connections. The page of one device needs three. */
const CONNECTIONS_MAX = 100
/** Maximum number of open connections of one address, so that no device can use up all. */
const CONNECTIONS_PER_ADDRESS_MAX = 20

const font = readFileSync(
  createRequire(import.meta.url).resolve('@fontsource-variable/nunito/files/nunito-latin-wght-normal.woff2'),
)
const styleHash = createHash('sha256').update(TRUST_STYLE).digest('base64')

/**
 * Starts the server of the certificate page on one address. One port speaks both HTTP, for devices that do not trust
 * the certificate yet, and HTTPS. The server has no secrets and accepts only GET.
 */
export async function startTrustServer(options: TrustServerOptions): Promise<LanListener> {
  const handle = (request: IncomingMessage, response: ServerResponse) => respond(request, response, options)
  const limits = { headersTimeout: CLIENT_TIMEOUT_MS, requestTimeout: CLIENT_TIMEOUT_MS, keepAliveTimeout: 1000 }
  const plain = createHttpServer(limits, handle)
  const secure = createHttpsServer({ ...limits, ...options.tls }, handle)
  secure.on('tlsClientError', () => {})
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const { remoteAddress } = socket
    const others = [...sockets].filter((other) => other.remoteAddress === remoteAddress)
    if (others.length >= CONNECTIONS_PER_ADDRESS_MAX) return void socket.destroy()
    sockets.add(socket)
    const end = setTimeout(() => socket.destroy(), CONNECTION_MS)
    socket.on('close', () => {
      clearTimeout(end)
      sockets.delete(socket)
    })
    socket.on('error', () => socket.destroy())
    socket.setTimeout(CLIENT_TIMEOUT_MS, () => socket.destroy())
    socket.once('readable', () => {
      const first = socket.read(1) as Buffer | null
      if (first === null) {
        socket.destroy()
        return
      }
      socket.unshift(first)
      const target = first[0] === TLS_HANDSHAKE_BYTE ? secure : plain
      target.emit('connection', socket)
    })
  })
  server.maxConnections = CONNECTIONS_MAX
  server.listen(options.port, options.host)
  await once(server, 'listening')
  return {
    setTls: (tls) => secure.setSecureContext(tls),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      plain.close()
      secure.close()
      await closed
    },
  }
}

function respond(request: IncomingMessage, response: ServerResponse, options: TrustServerOptions): void {
  const { content } = options
  const isSecure = request.socket instanceof TLSSocket
  const path = request.url?.split('?')[0]
  const send = (status: number, type: string, body: string | Buffer, headers: Record<string, string> = {}) => {
    response.writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      ...headers,
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return send(405, 'text/plain; charset=utf-8', 'Only GET is allowed.\n', { allow: 'GET, HEAD' })
  if (path === '/')
    return send(
      200,
      'text/html; charset=utf-8',
      renderTrustPage(content, request.headers['user-agent'] ?? '', request.headers['accept-language']),
      {
        'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}' ${new URL(content.trustedStyleUrl).origin}; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      },
    )
  if (path === `/${CERTIFICATE_FILE}`)
    // Without `Content-Disposition`, because iOS would save an attachment instead of installing it.
    return send(200, 'application/x-x509-ca-cert', options.certificate)
  if (path === '/nunito.woff2') return send(200, 'font/woff2', font, { 'cache-control': 'max-age=3600' })
  if (path === '/logo.svg') return send(200, 'image/svg+xml', createLogoFile())
  // Loads only over a trusted connection, so the page knows without script that the device trusts the certificate.
  if (path === TRUSTED_STYLE_PATH && isSecure) return send(200, 'text/css; charset=utf-8', TRUSTED_STYLE)
  send(404, 'text/plain; charset=utf-8', 'There is no such page.\n')
}
