import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { rtspHost, rtspPort } from './rtsp-probe.ts'
import { RtspLogin } from './rtsp-login.ts'
import { bytesOfMessage, getHeader, RtspReader, parseStatus, withHeader, type RtspMessage } from './rtsp-messages.ts'

/** Maximum number of consecutive redirects to other paths of the camera. */
const REDIRECTS_MAX = 3
/** Time that a camera gets to answer TEARDOWN. */
const FAREWELL_MS = 1000

/** Reason why a camera delivers no stream. An empty object means that the camera closed the connection. */
export interface RtspRefusal {
  /** Status of the response (RFC 2326 §7.1.1). */
  readonly status?: number
  /** Node error code of a failed connection. */
  readonly code?: string
  /** Names of the authentication schemes that the camera requires, if none of them is supported. */
  readonly signIn?: string
  /** Host and port that the camera redirects to, if they differ from its own; the bridge does not contact them. */
  readonly redirect?: string
}

export interface LineEvents {
  answer(answer: RtspMessage): void
  bytes(bytes: Buffer): void
  /** Called when the camera refuses the stream or the connection ends; at most once, and not after `close`. */
  refused(refusal: RtspRefusal): void
}

interface Request {
  readonly message: RtspMessage
  readonly method: string
  readonly uri: string
  /** Number of attempts with credentials. */
  tries: number
}

/** Closed connections that still wait for the response to TEARDOWN. */
const ending = new Set<Promise<unknown>>()
/** Resolves when all cameras have answered TEARDOWN or timed out. */
export const linesEnded = () => Promise.all(ending)

/** A connection to a camera: authenticates its requests, and never leaves the original host and port. */
export class RtspLine {
  private readonly login: RtspLogin
  private readonly events: LineEvents
  private target: URL
  private socket: Socket
  private request: Request | undefined
  private redirects = 0
  /** True if the camera has accepted this login: a later 401 then means that the nonce has expired. */
  private isAccepted = false
  private sequence = 0
  /** RTSP session that TEARDOWN must end (RFC 2326 §10.7). */
  private session: { id: string; uri: string; left: boolean } | undefined
  private over = false

  constructor(url: URL, events: LineEvents) {
    this.target = url
    this.login = new RtspLogin(url)
    this.events = events
    this.socket = this.connect()
  }

  /** Stream URL without user and password, as requests name it. */
  get uri(): string {
    const { protocol, hostname, pathname, search } = this.target
    return `${protocol}//${hostname}:${rtspPort(this.target)}${pathname}${search}`
  }

  /** Source address of the camera's UDP packets. */
  get remoteAddress(): string {
    return this.socket.remoteAddress ?? rtspHost(this.target)
  }

  sendBridgeRequest(method: string, ...headers: readonly string[]): void {
    const lines = [`CSeq: ${this.sequence + 1}`, 'User-Agent: Porchlight', ...headers]
    const message = { start: `${method} ${this.uri} RTSP/1.0`, headers: '', body: '' }
    this.send({ ...message, headers: lines.map((line) => `${line}\r\n`).join('') })
  }

  send(message: RtspMessage): void {
    const [method = '', uri = ''] = message.start.split(' ')
    this.sequence = Number(getHeader(message, 'CSeq') ?? 0)
    if (this.session && method === 'TEARDOWN') this.session.left = true
    if (this.session && method === 'PLAY') this.session.uri = uri
    this.sendRequest({ message, method, uri, tries: 0 })
  }

  /** Sends an interleaved frame to the camera. */
  write(bytes: Buffer): void {
    this.socket.write(bytes)
  }

  pause(): void {
    this.socket.pause()
  }

  resume(): void {
    this.socket.resume()
  }

  /** Leaves the stream with TEARDOWN: cameras keep the slot of a viewer that only disconnects. */
  close(): void {
    if (this.over) return
    this.over = true
    const { socket, session } = this
    if (!session || socket.destroyed) return void socket.destroy()
    const ended = new Promise<void>((resolve) => {
      const timer = setTimeout(() => socket.destroy(), FAREWELL_MS)
      socket.on('close', () => {
        clearTimeout(timer)
        resolve()
      })
    })
    ending.add(ended)
    void ended.then(() => ending.delete(ended))
    socket.resume()
    if (session.left) return void socket.end()
    const headers = `CSeq: ${this.sequence + 1}\r\nSession: ${session.id}\r\n`
    this.send({ start: `TEARDOWN ${session.uri} RTSP/1.0`, headers, body: '' })
  }

  private connect(): Socket {
    const to = { host: rtspHost(this.target), port: rtspPort(this.target) }
    // Cameras use self-signed certificates, and many support only old TLS.
    const tls = { ...to, rejectUnauthorized: false, minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    const socket = this.target.protocol === 'rtsps:' ? connectTls(tls) : connect(to)
    const reader = new RtspReader('answer')
    socket.setNoDelay(true)
    socket.on('error', ({ code }: NodeJS.ErrnoException) => this.refuse(socket, code === undefined ? {} : { code }))
    socket.on('close', () => this.refuse(socket, {}))
    socket.on('data', (data) => {
      try {
        for (const part of reader.push(data)) {
          if (socket !== this.socket) return
          if (!Buffer.isBuffer(part)) this.hear(part)
          else if (!this.over) this.events.bytes(part)
        }
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        this.refuse(socket, {})
      }
    })
    return socket
  }

  private sendRequest(request: Request): void {
    this.request = request
    const authorization = this.login.authorize(request.method, request.uri)
    if (authorization !== undefined) request.tries++
    this.socket.write(bytesOfMessage(withHeader(request.message, 'Authorization', authorization)))
  }

  private hear(answer: RtspMessage): void {
    const status = parseStatus(answer)
    if (status === 401 && this.signIn(answer)) return
    // After `close`, any response is the one to TEARDOWN.
    if (this.over) return void this.socket.end()
    if (status >= 300 && status < 400) return this.handleRedirect(status, getHeader(answer, 'Location') ?? '')
    if (status !== 401 && this.request?.tries) this.isAccepted = true
    const id = getHeader(answer, 'Session')?.split(';')[0]
    if (this.request?.method === 'SETUP' && status === 200 && id)
      this.session ??= { id, uri: this.request.uri, left: false }
    this.events.answer(answer)
  }

  /**
   * Handles a 401. Returns true if the request was sent again with credentials, or the stream was refused. After an
   * accepted login, a camera may only demand another nonce.
   */
  private signIn(answer: RtspMessage): boolean {
    const { request } = this
    const isStale = /\bstale *= *"?true/i.test(getHeader(answer, 'WWW-Authenticate') ?? '')
    const signIn = this.login.learn(answer)
    if (signIn !== undefined && this.login.isGiven) {
      this.refuse(this.socket, { status: 401, signIn })
      return true
    }
    const triesMax = isStale || this.isAccepted ? 2 : 1
    if (!request || !this.login.isReady || request.tries >= triesMax) return false
    this.sendRequest(request)
    return true
  }

  /** Follows redirects to other paths of the same host and port only: another host would receive the password. */
  private handleRedirect(status: number, location: string): void {
    const to = URL.parse(location, this.uri)
    const isSame =
      to !== null &&
      to.protocol === this.target.protocol &&
      rtspPort(to) === rtspPort(this.target) &&
      [rtspHost(this.target), this.remoteAddress].includes(rtspHost(to))
    if (to && !isSame) return this.refuse(this.socket, { status, redirect: to.host })
    if (!to || this.session || this.request?.method === 'SETUP' || ++this.redirects > REDIRECTS_MAX)
      return this.refuse(this.socket, { status })
    const method = this.request?.method ?? 'OPTIONS'
    this.socket.destroy()
    this.target = new URL(`${this.target.protocol}//${this.target.host}${to.pathname}${to.search}`)
    this.socket = this.connect()
    this.sendBridgeRequest(method, 'Accept: application/sdp')
  }

  private refuse(socket: Socket, refusal: RtspRefusal): void {
    if (this.over || socket !== this.socket) return
    this.close()
    this.events.refused(refusal)
  }
}
