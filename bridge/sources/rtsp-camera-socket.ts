import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { getRtspHost, getRtspPort } from './rtsp-probe.ts'
import { RtspLogin } from './rtsp-login.ts'
import { encodeMessage, getHeader, RtspReader, parseStatus, withHeader, type RtspMessage } from './rtsp-messages.ts'

const MAX_REDIRECTS = 3
const TEARDOWN_TIMEOUT_MS = 1000

/**
 * Reason why a camera delivers no stream. An empty object means that the connection ended without a known reason,
 * usually because the camera closed it.
 */
export interface RtspRefusal {
  /** Status of the response (RFC 2326 §7.1.1). */
  readonly status?: number
  /** Node error code of a failed connection. */
  readonly code?: string
  /** Names of the camera's authentication schemes; set only if the bridge supports none of them. */
  readonly signIn?: string
  /** Host and port of a redirect that the bridge does not follow, because host, port or protocol differ. */
  readonly redirect?: string
}

export interface RtspCameraSocketEvents {
  onResponse(onResponse: RtspMessage): void
  onBytes(onBytes: Buffer): void
  /** Called when the camera refuses the stream or the connection ends; at most once, and not after `close`. */
  onRefused(refusal: RtspRefusal): void
}

interface PendingRequest {
  readonly message: RtspMessage
  readonly method: string
  readonly uri: string
  /** Number of attempts with credentials. */
  tries: number
}

/** Closed connections that still wait for the response to TEARDOWN. */
const pendingTeardowns = new Set<Promise<unknown>>()
/** Resolves when all cameras have answered TEARDOWN or timed out. */
export const waitForTeardowns = () => Promise.all(pendingTeardowns)

/** RTSP connection to a camera. Authenticates requests, and never contacts another host or port. */
export class RtspCameraSocket {
  readonly #login: RtspLogin
  readonly #events: RtspCameraSocketEvents
  #target: URL
  #socket: Socket
  #pendingRequest: PendingRequest | undefined
  #redirects = 0
  /** True if the camera has accepted this login. A later 401 then means that the nonce has expired. */
  #isAccepted = false
  #sequence = 0
  /** RTSP session that TEARDOWN must end (RFC 2326 §10.7). `left`: true if TEARDOWN was sent. */
  #session: { id: string; uri: string; left: boolean } | undefined
  #isClosed = false

  constructor(url: URL, events: RtspCameraSocketEvents) {
    this.#target = url
    this.#login = new RtspLogin(url)
    this.#events = events
    this.#socket = this.#connect()
  }

  /** Stream URL for requests, without user and password. */
  get uri(): string {
    const { protocol, hostname, pathname, search } = this.#target
    return `${protocol}//${hostname}:${getRtspPort(this.#target)}${pathname}${search}`
  }

  /** IP address of the camera while connected, otherwise the host in its address. */
  get remoteAddress(): string {
    return this.#socket.remoteAddress ?? getRtspHost(this.#target)
  }

  sendBridgeRequest(method: string, ...headers: readonly string[]): void {
    const lines = [`CSeq: ${this.#sequence + 1}`, 'User-Agent: Porchlight', ...headers]
    const message = { start: `${method} ${this.uri} RTSP/1.0`, headers: '', body: '' }
    this.send({ ...message, headers: lines.map((line) => `${line}\r\n`).join('') })
  }

  send(message: RtspMessage): void {
    const [method = '', uri = ''] = message.start.split(' ')
    this.#sequence = Number(getHeader(message, 'CSeq') ?? 0)
    if (this.#session && method === 'TEARDOWN') this.#session.left = true
    if (this.#session && method === 'PLAY') this.#session.uri = uri
    this.#sendRequest({ message, method, uri, tries: 0 })
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes)
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** Ends the stream with TEARDOWN, because a camera continues to count a client that only disconnects. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    const socket = this.#socket
    const session = this.#session
    if (!session || socket.destroyed) return void socket.destroy()
    const ended = new Promise<void>((resolve) => {
      const timer = setTimeout(() => socket.destroy(), TEARDOWN_TIMEOUT_MS)
      socket.on('close', () => {
        clearTimeout(timer)
        resolve()
      })
    })
    pendingTeardowns.add(ended)
    void ended.then(() => pendingTeardowns.delete(ended))
    socket.resume()
    if (session.left) return void socket.end()
    const headers = `CSeq: ${this.#sequence + 1}\r\nSession: ${session.id}\r\n`
    this.send({ start: `TEARDOWN ${session.uri} RTSP/1.0`, headers, body: '' })
  }

  #connect(): Socket {
    const to = { host: getRtspHost(this.#target), port: getRtspPort(this.#target) }
    // Cameras use self-signed certificates, and many support only old TLS.
    const tls = { ...to, rejectUnauthorized: false, minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    const socket = this.#target.protocol === 'rtsps:' ? connectTls(tls) : connect(to)
    const reader = new RtspReader('answer')
    socket.setNoDelay(true)
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      this.#closeWithRefusal(socket, code === undefined ? {} : { code }),
    )
    socket.on('close', () => this.#closeWithRefusal(socket, {}))
    socket.on('data', (data) => {
      try {
        for (const part of reader.push(data)) {
          if (socket !== this.#socket) return
          if (!Buffer.isBuffer(part)) this.#handleResponse(part)
          else if (!this.#isClosed) this.#events.onBytes(part)
        }
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        this.#closeWithRefusal(socket, {})
      }
    })
    return socket
  }

  #sendRequest(request: PendingRequest): void {
    this.#pendingRequest = request
    const authorization = this.#login.createAuthorization(request.method, request.uri)
    if (authorization !== undefined) request.tries++
    this.#socket.write(encodeMessage(withHeader(request.message, 'Authorization', authorization)))
  }

  #handleResponse(response: RtspMessage): void {
    const status = parseStatus(response)
    if (status === 401 && this.#retryWithLogin(response)) return
    // After `close`, the only response is the response to TEARDOWN.
    if (this.#isClosed) return void this.#socket.end()
    if (status >= 300 && status < 400) return this.#handleRedirect(status, getHeader(response, 'Location') ?? '')
    if (status !== 401 && this.#pendingRequest?.tries) this.#isAccepted = true
    const id = getHeader(response, 'Session')?.split(';')[0]
    if (this.#pendingRequest?.method === 'SETUP' && status === 200 && id)
      this.#session ??= { id, uri: this.#pendingRequest.uri, left: false }
    this.#events.onResponse(response)
  }

  /**
   * Handles a 401. Returns true after a retry with credentials, or after closing the connection. Allows one more retry
   * if the nonce may have expired: the camera reports it as stale, or accepted this login before.
   */
  #retryWithLogin(response: RtspMessage): boolean {
    const request = this.#pendingRequest
    const isStale = /\bstale *= *"?true/i.test(getHeader(response, 'WWW-Authenticate') ?? '')
    const unsupportedSchemes = this.#login.storeChallenge(response)
    if (unsupportedSchemes !== undefined && this.#login.hasCredentials) {
      this.#closeWithRefusal(this.#socket, { status: 401, signIn: unsupportedSchemes })
      return true
    }
    const triesMax = isStale || this.#isAccepted ? 2 : 1
    if (!request || !this.#login.isReady || request.tries >= triesMax) return false
    this.#sendRequest(request)
    return true
  }

  /** Follows a redirect only to another path of the same host and port, because another host would get the password. */
  #handleRedirect(status: number, location: string): void {
    const targetUrl = URL.parse(location, this.uri)
    const isSame =
      targetUrl !== null &&
      targetUrl.protocol === this.#target.protocol &&
      getRtspPort(targetUrl) === getRtspPort(this.#target) &&
      [getRtspHost(this.#target), this.remoteAddress].includes(getRtspHost(targetUrl))
    if (targetUrl && !isSame) return this.#closeWithRefusal(this.#socket, { status, redirect: targetUrl.host })
    if (!targetUrl || this.#session || this.#pendingRequest?.method === 'SETUP' || ++this.#redirects > MAX_REDIRECTS)
      return this.#closeWithRefusal(this.#socket, { status })
    const method = this.#pendingRequest?.method ?? 'OPTIONS'
    this.#socket.destroy()
    this.#target = new URL(`${this.#target.protocol}//${this.#target.host}${targetUrl.pathname}${targetUrl.search}`)
    this.#socket = this.#connect()
    this.sendBridgeRequest(method, 'Accept: application/sdp')
  }

  #closeWithRefusal(socket: Socket, refusal: RtspRefusal): void {
    if (this.#isClosed || socket !== this.#socket) return
    this.close()
    this.#events.onRefused(refusal)
  }
}
