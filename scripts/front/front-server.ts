import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerOptions } from 'node:http'
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { FileCache } from './file-cache.ts'
import { createRequestHandler, type ForwardOptions, HEADER_BYTES_MAX } from './forward-request.ts'
import { forwardSocket, isSocketRequest } from './forward-socket.ts'
import type { ClientAddressSource } from './headers.ts'

export interface FrontOptions {
  /** Address on which the front listens. */
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  /** PEM texts. With a certificate, the front speaks HTTP/2 and HTTP/1.1 over TLS. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** URL of the Worker's own port. */
  readonly target: URL
  readonly clientAddress: ClientAddressSource
  /** Compresses text. Wrong for a Worker whose pages contain secrets (docs/decisions/0096). */
  readonly compresses: boolean
  /** Origin at which browsers must open pages (forward-request.ts). */
  readonly pageOrigin?: string | undefined
}

export interface Front {
  readonly port: number
  /** Replaces the certificate for new connections. */
  setTls(tls: NonNullable<FrontOptions['tls']>): void
  /** Ends all connections. */
  close(): Promise<void>
}

/** Idle time after which the front closes a client's connection, ms. */
const CLIENT_IDLE_MS = 30_000
/** Time for sending one request, ms. A hub may upload a long clip over a slow line. */
const REQUEST_MS = 3_600_000
/** Time for a TLS handshake, ms. */
const HANDSHAKE_MS = 10_000
/** Time for the headers of a request, ms. */
const HEADERS_MS = 20_000
/** Idle time after which a closing HTTP/2 connection ends, although responses are incomplete, ms. */
const STALLED_MS = 600_000
/**
 * Maximum number of connections of one address in the local network. A browser needs one, and one for each camera and
 * page that it watches.
 */
const CONNECTIONS_PER_ADDRESS_MAX = 256
/** Maximum number of parallel requests of one HTTP/2 connection. */
const STREAMS_MAX = 128

/** Time in which a client can receive the response to a malformed request before its connection is reset, ms. */
const REJECTED_MS = 2000

/** Settings of HTTP/1.1, also of HTTP/1.1 over TLS. */
const HTTP1_OPTIONS = {
  keepAliveTimeout: CLIENT_IDLE_MS,
  headersTimeout: HEADERS_MS,
  requestTimeout: REQUEST_MS,
  maxHeaderSize: HEADER_BYTES_MAX,
  noDelay: true,
  shouldUpgradeCallback: isSocketRequest,
} satisfies ServerOptions & { shouldUpgradeCallback: (request: IncomingMessage) => boolean }

/**
 * Starts the server that receives all requests to a local Worker and forwards them to the Worker's own port
 * (docs/decisions/0096). Rejects if the address is in use.
 */
export async function startFront(options: FrontOptions): Promise<Front> {
  const forward: ForwardOptions = {
    target: options.target,
    clientAddress: options.clientAddress,
    pageOrigin: options.pageOrigin,
    cache: options.compresses ? new FileCache() : null,
  }
  const handler = createRequestHandler(forward)
  const server = createListener(options, handler.handle)
  const connections = new ConnectionSet(options.tls ? CONNECTIONS_PER_ADDRESS_MAX : Infinity)
  server.on('connection', (socket: Socket) => connections.add(socket))
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, early: Buffer) =>
    forwardSocket(request, socket as Socket, early, forward),
  )
  // A client that sends malformed bytes or breaks its TLS handshake must not end the process.
  server.on('tlsClientError', () => {})
  server.on('clientError', rejectRequest)
  server.on('session', closeIdleSession)
  server.listen(options.port, options.host)
  await once(server, 'listening')
  // Without free file descriptors, new connections fail. Those that are open continue.
  server.on('error', () => {})
  return {
    port: (server.address() as AddressInfo).port,
    setTls(tls) {
      if ('setSecureContext' in server) server.setSecureContext(tls)
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      connections.destroy()
      handler.close()
      await closed
    },
  }
}

/** Open connections of a front, also those that have not completed their TLS handshake. */
class ConnectionSet {
  readonly #sockets = new Set<Socket>()
  readonly #counts = new Map<string, number>()
  readonly #maxPerAddress: number

  constructor(maxPerAddress: number) {
    this.#maxPerAddress = maxPerAddress
  }

  /** Ends the connection if its address has too many. */
  add(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const count = this.#counts.get(address) ?? 0
    if (count >= this.#maxPerAddress) return void socket.destroy()
    this.#counts.set(address, count + 1)
    this.#sockets.add(socket)
    // Notices clients that vanished without closing the connection.
    socket.setKeepAlive(true, CLIENT_IDLE_MS)
    socket.on('close', () => {
      this.#sockets.delete(socket)
      const left = (this.#counts.get(address) ?? 1) - 1
      if (left > 0) this.#counts.set(address, left)
      else this.#counts.delete(address)
    })
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}

const rejectedSockets = new WeakSet<Duplex>()

/**
 * Responds to a malformed HTTP/1.1 request. Then receives the rest of the request for a time: closing the connection
 * before would reset it, and the client might lose the response.
 */
function rejectRequest({ code }: Error & { readonly code?: string }, socket: Duplex): void {
  if (rejectedSockets.has(socket)) return
  // Node sets this property while the socket sends a response, which the rejection would corrupt.
  const isResponding = Boolean((socket as { readonly _httpMessage?: object | null })._httpMessage)
  if (!socket.writable || isResponding) return void socket.destroy()
  rejectedSockets.add(socket)
  const statuses: Readonly<Record<string, string>> = {
    HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
    ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  }
  socket.end(`HTTP/1.1 ${statuses[code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`)
  const timer = setTimeout(() => socket.destroy(), REJECTED_MS)
  socket.on('close', () => clearTimeout(timer))
}

/** Closes an HTTP/2 connection after its idle time. Responses that are in progress may continue. */
function closeIdleSession(session: ServerHttp2Session): void {
  session.setTimeout(CLIENT_IDLE_MS, () => {
    session.close()
    session.setTimeout(STALLED_MS, () => session.destroy())
  })
}

function createListener(
  { tls }: FrontOptions,
  handle: ReturnType<typeof createRequestHandler>['handle'],
): Server | Http2SecureServer {
  if (tls === undefined) return createServer(HTTP1_OPTIONS, handle)
  const server = createSecureServer(
    {
      ...HTTP1_OPTIONS,
      ...tls,
      allowHTTP1: true,
      handshakeTimeout: HANDSHAKE_MS,
      settings: { maxConcurrentStreams: STREAMS_MAX },
    },
    handle,
  )
  // The constructor ignores this option.
  return Object.assign(server, { shouldUpgradeCallback: isSocketRequest })
}
