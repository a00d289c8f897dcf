import { createHash, randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer, type Server, type Socket } from 'node:net'
import { nalType, NAL, splitPictures, type Picture } from '../../bridge/media/h264/annex-b.ts'
import { packetize } from '../../bridge/webrtc/h264-packetizer.ts'
import { g726, interleaved, rtpPacket, SOUND_MS, SOUNDS, TONE } from './rtp.ts'

export interface RtspServerOptions {
  /** Annex B stream, played in a loop. */
  readonly stream: Buffer
  readonly fps?: number
  /** Factor by which the camera sends faster than its timestamps. */
  readonly speed?: number
  /** Required by Basic authentication, or by these Digest challenges (RFC 7616) if `digest` is set. */
  readonly credentials?: { readonly user: string; readonly password: string; readonly digest?: readonly DigestKind[] }
  /** The only path; other paths redirect to it. */
  readonly moved?: string
  /** Content-Base of the description. The tracks answer only under their true URL. */
  readonly base?: (camera: { host: string; port: number }) => string
  /** Video codec in the description; the bytes stay H.264. */
  readonly codec?: 'H264' | 'H265' | 'MP4V-ES'
  /** Fixed responses by method, such as `503 Service Unavailable`. */
  readonly answers?: Readonly<Record<string, string>>
  /** Path whose stream is answered with 403. */
  readonly forbids?: string
  /** Delays the description until the promise settles. */
  readonly describesAfter?: Promise<unknown>
  /** Replaces the true description. */
  readonly description?: string
  /** Sends only by UDP; answers any other transport with 461 (RFC 2326 §12.39). */
  readonly udpOnly?: boolean
  /** Sends packets that contain no video. */
  readonly garbage?: boolean
  /** Omits the keyframes among the first N frames of each connection. */
  readonly withoutKeyframes?: number
  /** Answers PLAY and then sends nothing. */
  readonly silent?: boolean
  /** Sends N frames per connection, then nothing, with the socket open. */
  readonly freezesAfter?: number
  /** Drops every Nth video packet. */
  readonly loses?: number
  /** Sends H.265 NAL units, regardless of the description. */
  readonly lies?: boolean
  /** Omits parameter sets from the description; they arrive only with the keyframes. */
  readonly bare?: boolean
  /** Audio track: a tone as G.711 or G.726, or an encoding that no client can read. */
  readonly sound?: keyof typeof SOUNDS
  /** Date that the camera's clock reports. */
  readonly date?: Date
  /** Called for each sent frame with its index in the stream. */
  readonly onSent?: (index: number) => void
}

export interface DigestKind {
  readonly algorithm?: 'MD5' | 'SHA-256' | 'SHA-256-sess' | 'SHA-512'
  readonly qop?: 'auth'
  /** Each request needs the nonce of the previous response. */
  readonly once?: boolean
}

type Answer = (status: string, headers?: readonly string[], body?: string) => void
/** Sends a packet of one track to its client. */
type Lane = (packet: Buffer) => unknown

/**
 * Small RTSP camera (RFC 2326): OPTIONS, DESCRIBE, SETUP and PLAY; frames are interleaved on the connection or sent by
 * UDP.
 */
export class RtspServer {
  plays = 0
  /** Number of rejected transports. */
  refused = 0
  /** Per request: its method, and whether it had credentials. */
  readonly asked: string[] = []
  /** Playing time of the newest connection by its timestamps, ms. */
  playedMs = 0
  private readonly server: Server
  private readonly sockets = new Set<Socket>()
  private readonly lanes = new WeakMap<Socket, Map<number, Lane>>()
  private pictures: readonly Picture[]
  private nonce = ''
  private readonly options: RtspServerOptions

  private constructor(options: RtspServerOptions) {
    this.options = options
    this.pictures = splitPictures(options.stream)
    this.server = createServer((socket) => this.accept(socket))
  }

  static async start(options: RtspServerOptions, port = 0): Promise<RtspServer> {
    const camera = new RtspServer(options)
    await new Promise<void>((resolve) => camera.server.listen(port, '127.0.0.1', resolve))
    return camera
  }

  get port(): number {
    const address = this.server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  /** Number of connections. */
  get watched(): number {
    return this.sockets.size
  }

  url(credentials = ''): string {
    return `rtsp://${credentials && `${credentials}@`}127.0.0.1:${this.port}/stream`
  }

  /** Replaces the stream, on open connections too. */
  change(stream: Buffer): void {
    this.pictures = splitPictures(stream)
  }

  /** Closes all connections, as a camera that loses power does. */
  drop(): void {
    for (const socket of this.sockets) socket.destroy()
  }

  async close(): Promise<void> {
    this.drop()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket)
    this.lanes.set(socket, new Map())
    let text = ''
    socket.on('error', () => undefined)
    socket.on('close', () => this.sockets.delete(socket))
    socket.on('data', (data) => {
      text += data.toString('latin1')
      for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
        const request = text.slice(0, end)
        text = text.slice(end + 4)
        if (/^[A-Z_]+ /.test(request)) this.handle(socket, request)
      }
    })
  }

  private handle(socket: Socket, request: string): void {
    const method = request.slice(0, request.indexOf(' '))
    const sequence = /^CSeq: *(\d+)/im.exec(request)?.[1] ?? '0'
    const answer: Answer = (status, headers = [], body = '') => {
      const lines = [`RTSP/1.0 ${status}`, `CSeq: ${sequence}`, ...headers, `Content-Length: ${body.length}`]
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
    }
    this.asked.push(/^Authorization:/im.test(request) ? `${method} with credentials` : method)
    if (method !== 'OPTIONS' && !this.authorized(request)) return answer('401 Unauthorized', this.challenges())
    const { moved } = this.options
    if (moved !== undefined && !request.split(' ')[1]?.includes(moved))
      return answer('302 Moved Temporarily', [`Location: rtsp://127.0.0.1:${this.port}${moved}`])
    if (this.options.forbids !== undefined && request.split(' ')[1]?.endsWith(this.options.forbids))
      return answer('403 Forbidden')
    const refusal = this.options.answers?.[method]
    if (refusal !== undefined) return answer(refusal)
    const date = this.options.date === undefined ? [] : [`Date: ${this.options.date.toUTCString()}`]
    if (method === 'OPTIONS') return answer('200 OK', ['Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN', ...date])
    const { base = () => `${this.url()}/` } = this.options
    const contentBase = base({ host: '127.0.0.1', port: this.port })
    const described = ['Content-Type: application/sdp', ...(contentBase && [`Content-Base: ${contentBase}`])]
    if (method === 'SETUP' && !request.startsWith(`SETUP ${this.url()}`) && moved === undefined)
      return answer('404 Not Found')
    const describe = () => answer('200 OK', described, this.options.description ?? this.description())
    if (method === 'DESCRIBE') return void (this.options.describesAfter ?? Promise.resolve()).then(describe)
    if (method === 'SETUP') return void this.setUp(socket, request, answer)
    answer('200 OK', ['Session: 1'])
    if (method === 'PLAY') this.play(socket)
  }

  private async setUp(socket: Socket, request: string, answer: Answer): Promise<void> {
    const channel = /^SETUP \S*track2/.test(request) ? 2 : 0
    const lanes = this.lanes.get(socket)
    if (!this.options.udpOnly) {
      lanes?.set(channel, (packet) => socket.write(interleaved(channel, packet)))
      const transport = `RTP/AVP/TCP;unicast;interleaved=${channel}-${channel + 1}`
      return answer('200 OK', [`Transport: ${transport}`, 'Session: 1;timeout=60'])
    }
    const [, port] = /client_port=(\d+)/.exec(request) ?? []
    if (port === undefined) {
      this.refused++
      return answer('461 Unsupported Transport')
    }
    const lane = createSocket('udp4')
    socket.on('close', () => lane.close())
    lane.on('error', () => undefined)
    await new Promise<void>((resolve) => lane.bind(0, '127.0.0.1', resolve))
    lanes?.set(channel, (packet) => this.sockets.has(socket) && lane.send(packet, Number(port), '127.0.0.1'))
    const own = lane.address().port
    const transport = `RTP/AVP;unicast;client_port=${port}-${Number(port) + 1};server_port=${own}-${own + 1}`
    answer('200 OK', [`Transport: ${transport}`, 'Session: 1;timeout=60'])
  }

  private authorized(request: string): boolean {
    const { credentials } = this.options
    if (!credentials) return true
    if (credentials.digest) return this.isDigest(request, credentials.digest)
    const encoded = /^Authorization: *Basic +(\S+)/im.exec(request)?.[1] ?? ''
    return Buffer.from(encoded, 'base64').toString() === `${credentials.user}:${credentials.password}`
  }

  private challenges(): string[] {
    const { digest } = this.options.credentials ?? {}
    if (!digest) return ['WWW-Authenticate: Basic realm="camera"']
    this.nonce = randomUUID()
    return digest.map(({ algorithm, qop }) => {
      const more = [...(algorithm ? [`algorithm=${algorithm}`] : []), ...(qop ? [`qop="${qop}"`] : [])]
      return `WWW-Authenticate: ${['Digest realm="IP Camera(AB)"', `nonce="${this.nonce}"`, ...more].join(', ')}`
    })
  }

  private isDigest(request: string, kinds: readonly DigestKind[]): boolean {
    const line = /^Authorization: *Digest +(.*)$/im.exec(request)?.[1]?.trim() ?? ''
    const of = (name: string) => new RegExp(`(?:^|, )${name}="?([^",]*)`).exec(line)?.[1] ?? ''
    const kind = kinds.find(({ algorithm }) => (algorithm ?? '') === of('algorithm'))
    const { user = '', password = '' } = this.options.credentials ?? {}
    const [method = '', uri = ''] = request.split(' ')
    if (!kind || of('nonce') !== this.nonce || of('uri') !== uri || of('username') !== user) return false
    const name = /^SHA-256/.test(kind.algorithm ?? '') ? 'sha256' : 'md5'
    const hash = (text: string) => createHash(name).update(text).digest('hex')
    const own = hash(`${user}:IP Camera(AB):${password}`)
    const secret = kind.algorithm?.endsWith('-sess') ? hash(`${own}:${this.nonce}:${of('cnonce')}`) : own
    const middle = kind.qop ? `${of('nc')}:${of('cnonce')}:auth:` : ''
    const isRight = of('response') === hash(`${secret}:${this.nonce}:${middle}${hash(`${method}:${uri}`)}`)
    if (isRight && kind.once) this.nonce = randomUUID()
    return isRight
  }

  private description(): string {
    const first = this.pictures[0]?.nals ?? []
    const sets = [NAL.sps, NAL.pps].flatMap((type) => first.filter((nal) => nalType(nal) === type))
    const format = `packetization-mode=1;sprop-parameter-sets=${sets.map((nal) => nal.toString('base64')).join(',')}`
    const codec = this.options.codec ?? 'H264'
    const video = [
      'm=video 0 RTP/AVP 96',
      `a=rtpmap:96 ${codec}/90000`,
      ...(codec === 'H264' && !this.options.bare ? [`a=fmtp:96 ${format}`] : []),
      'a=control:track1',
    ]
    const kind = this.options.sound && SOUNDS[this.options.sound].name
    const sound = kind ? ['m=audio 0 RTP/AVP 97', `a=rtpmap:97 ${kind}/8000`, 'a=control:track2'] : []
    return ['v=0', 'o=- 0 0 IN IP4 127.0.0.1', 's=camera', 't=0 0', ...video, ...sound, ''].join('\r\n')
  }

  private play(socket: Socket): void {
    this.plays++
    if (this.options.silent) return
    const lanes = this.lanes.get(socket)
    const picture = lanes?.get(0)
    const sound = lanes?.get(2)
    if (picture) this.playPictures(socket, picture)
    if (sound && this.options.sound) this.playSound(socket, sound, SOUNDS[this.options.sound].bytes)
  }

  private playPictures(socket: Socket, lane: Lane): void {
    const { fps = 15, speed = 1, freezesAfter = Infinity, withoutKeyframes = 0, loses = Infinity } = this.options
    let frame = 0
    let sequence = 0
    const send = () => {
      if (frame >= freezesAfter) return
      const picture = this.pictures[frame % this.pictures.length]
      const payloads = packetize(picture?.keyframe && frame < withoutKeyframes ? [] : this.selectNals(picture))
      payloads.forEach((payload, i) => {
        const timestamp = (frame * 90_000) / fps
        const packet = rtpPacket(0, payload, { type: 96, sequence, timestamp, marker: i === payloads.length - 1 })
        if (++sequence % loses !== 0) lane(packet)
      })
      this.options.onSent?.(frame % this.pictures.length)
      this.playedMs = (frame++ * 1000) / fps
    }
    const timer = setInterval(send, 1000 / fps / speed)
    socket.on('close', () => clearInterval(timer))
  }

  private selectNals(picture: Picture | undefined): Buffer[] {
    if (this.options.garbage) return [Buffer.from(`not a picture, number ${this.playedMs}`.repeat(9))]
    // Heads of an H.265 parameter set and an H.265 slice.
    if (this.options.lies) return [Buffer.from([0x42, 1, 1, 1]), Buffer.alloc(300, 2)]
    return [...(picture?.nals ?? [])]
  }

  private playSound(socket: Socket, lane: Lane, bytes: number): void {
    const sound = this.options.sound === 'g726' ? g726() : TONE
    let count = 0
    const startedAt = performance.now()
    const timer = setInterval(() => {
      for (; count * SOUND_MS < performance.now() - startedAt; count++) {
        const at = (count * bytes) % sound.length
        const head = { type: 97, sequence: count, timestamp: count * 160, marker: false }
        lane(rtpPacket(2, sound.subarray(at, at + bytes), head))
      }
    }, SOUND_MS)
    socket.on('close', () => clearInterval(timer))
  }
}
