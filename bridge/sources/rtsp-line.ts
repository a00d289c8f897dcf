import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { rtspHost, rtspPort } from './rtsp-probe.ts'
import { RtspLogin } from './rtsp-login.ts'
import { bytesOfMessage, getHeader, RtspReader, parseStatus, withHeader, type RtspMessage } from './rtsp-messages.ts'

/** Other paths of the camera that it may lead to, one after the other. */
const REDIRECTS_MAX = 3
/** How long a camera may take to hear that its stream is left, ms. */
const FAREWELL_MS = 1000

/** Why a camera gives no stream. Nothing in it: it closed the connection. */
export interface RtspRefusal {
  /** Status of its answer (RFC 2326 §7.1.1). */
  readonly status?: number
  /** Why there is no connection, as Node says it. */
  readonly code?: string
  /** Kinds of sign-in that it asks for, none of which is known here. */
  readonly signIn?: string
  /** Another host or port that it leads to, which nothing is sent to. */
  readonly redirect?: string
}

export interface LineEvents {
  answer(answer: RtspMessage): void
  bytes(bytes: Buffer): void
  /** At most once, and not after `close`. */
  refused(refusal: RtspRefusal): void
}

interface Request {
  readonly message: RtspMessage
  readonly method: string
  readonly uri: string
  /** How often it was sent with the login. */
  tries: number
}

/** Lines whose camera has not heard yet that they end. */
const ending = new Set<Promise<unknown>>()
/** Resolves when all cameras have heard that their streams are left, or have had their time for it. */
export const linesEnded = () => Promise.all(ending)

/** A connection to a camera: signs its requests, and stays with the host and port that it was made for. */
export class RtspLine {
  private readonly login: RtspLogin
  private readonly events: LineEvents
  private target: URL
  private socket: Socket
  private request: Request | undefined
  private redirects = 0
  /** The camera has answered a request with this login: its next refusal is about the nonce. */
  private isAccepted = false
  private sequence = 0
  /** Session that TEARDOWN ends (RFC 2326 §10.7). */
  private session: { id: string; uri: string; left: boolean } | undefined
  private over = false

  constructor(url: URL, events: LineEvents) {
    this.target = url
    this.login = new RtspLogin(url)
    this.events = events
    this.socket = this.connect()
  }

  /** The address of the stream without user and password, in which requests name it. */
  get uri(): string {
    const { protocol, hostname, pathname, search } = this.target
    return `${protocol}//${hostname}:${rtspPort(this.target)}${pathname}${search}`
  }

  /** The address that its datagrams come from. */
  get remoteAddress(): string {
    return this.socket.remoteAddress ?? rtspHost(this.target)
  }

  /** Asks something in the name of the bridge. */
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

  /** Passes on an interleaved frame. */
  write(bytes: Buffer): void {
    this.socket.write(bytes)
  }

  pause(): void {
    this.socket.pause()
  }

  resume(): void {
    this.socket.resume()
  }

  /** Leaves the stream. A camera keeps the place of a viewer that only hangs up. */
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
    // Cameras sign their certificates themselves, and many know old TLS only.
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
    // It has heard that its stream is left.
    if (this.over) return void this.socket.end()
    if (status >= 300 && status < 400) return this.handleRedirect(status, getHeader(answer, 'Location') ?? '')
    if (status !== 401 && this.request?.tries) this.isAccepted = true
    const id = getHeader(answer, 'Session')?.split(';')[0]
    if (this.request?.method === 'SETUP' && status === 200 && id)
      this.session ??= { id, uri: this.request.uri, left: false }
    this.events.answer(answer)
  }

  /** Answers whether the request is on its way again, or given up. A camera may ask again for a fresh nonce. */
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

  /** Another path of the same host and port may be asked, and no other host: it would get the password. */
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
