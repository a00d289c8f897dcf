import { spawnSync } from 'node:child_process'
import { createServer, type Server, type Socket } from 'node:net'
import { nalType, NAL, splitPictures, type Picture } from '../../bridge/h264/annex-b.ts'
import { packetize } from '../../bridge/peers/packetizer.ts'

export interface RtspServerOptions {
  /** Annex-B stream that is played over and over. */
  readonly stream: Buffer
  readonly fps?: number
  /** Sends so many times faster than the times of its pictures say. */
  readonly speed?: number
  /** Asked for by Basic authentication when given. */
  readonly credentials?: { readonly user: string; readonly password: string }
  /** What the description calls the video; the bytes stay H.264. */
  readonly codec?: 'H264' | 'H265'
  /** Leaves out the keyframes among the first so many pictures of each connection. */
  readonly withoutKeyframes?: number
  /** Answers PLAY and then sends nothing. */
  readonly silent?: boolean
  /** Sends so many pictures on each connection and then nothing, with the socket open. */
  readonly freezesAfter?: number
  /** Loses every so manieth packet of its pictures. */
  readonly loses?: number
  /** Sends NAL units of H.265, whatever the description says. */
  readonly lies?: boolean
  /** Keeps its parameter sets out of the description: they come with the keyframes only. */
  readonly bare?: boolean
  /** A tone as G.711 or G.726, or a sound of a kind that nobody can read. */
  readonly sound?: keyof typeof SOUNDS
  /** What its clock says. */
  readonly date?: Date
}

const SOUND_MS = 20
/** 20 ms of G.711 µ-law: a tone of 500 Hz, which fits into 16 samples. */
const TONE = Buffer.from(Array.from({ length: 160 }, (_, i) => (i % 16 < 8 ? 0x90 : 0x10)))
/** How each is called, and how many bytes of it are 20 ms (RFC 3551 §4.5). */
const SOUNDS = {
  tone: { name: 'PCMU', bytes: 160 },
  g726: { name: 'G726-32', bytes: 80 },
  unreadable: { name: 'X-UNKNOWN', bytes: 160 },
} as const

/** Eight seconds of 440 Hz by ffmpeg's encoder. */
function g726(): Buffer {
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=8000:duration=8', '-c:a', 'g726le', '-b:a', '32k']
  return spawnSync('ffmpeg', ['-loglevel', 'error', ...tone, '-f', 'g726le', 'pipe:1']).stdout
}

/** A small RTSP camera (RFC 2326): OPTIONS, DESCRIBE, SETUP and PLAY, pictures interleaved on the same connection. */
export class RtspServer {
  /** How many clients have asked to play. */
  plays = 0
  /** How long its newest connection has played by the times of its pictures, ms. */
  playedMs = 0
  private readonly server: Server
  private readonly sockets = new Set<Socket>()
  private pictures: readonly Picture[]
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

  /** Address of its stream, with the given `user:password`. */
  url(credentials = ''): string {
    return `rtsp://${credentials && `${credentials}@`}127.0.0.1:${this.port}/stream`
  }

  /** From now on it sends other pictures, on the connections that it has too. */
  change(stream: Buffer): void {
    this.pictures = splitPictures(stream)
  }

  /** Cuts all connections, as a camera that loses power does. */
  drop(): void {
    for (const socket of this.sockets) socket.destroy()
  }

  async close(): Promise<void> {
    this.drop()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket)
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
    const answer = (status: string, headers: readonly string[] = [], body = '') => {
      const lines = [`RTSP/1.0 ${status}`, `CSeq: ${sequence}`, ...headers, `Content-Length: ${body.length}`]
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
    }
    if (method !== 'OPTIONS' && !this.authorized(request))
      return answer('401 Unauthorized', ['WWW-Authenticate: Basic realm="camera"'])
    const date = this.options.date === undefined ? [] : [`Date: ${this.options.date.toUTCString()}`]
    if (method === 'OPTIONS') return answer('200 OK', ['Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN', ...date])
    if (method === 'DESCRIBE')
      return answer('200 OK', ['Content-Type: application/sdp', `Content-Base: ${this.url()}/`], this.description())
    if (method === 'SETUP') {
      const channels = /^SETUP \S*track2/.test(request) ? '2-3' : '0-1'
      return answer('200 OK', [`Transport: RTP/AVP/TCP;unicast;interleaved=${channels}`, 'Session: 1;timeout=60'])
    }
    answer('200 OK', ['Session: 1'])
    if (method === 'PLAY') this.play(socket)
  }

  private authorized(request: string): boolean {
    const { credentials } = this.options
    if (!credentials) return true
    const given = /^Authorization: *Basic +(\S+)/im.exec(request)?.[1] ?? ''
    return Buffer.from(given, 'base64').toString() === `${credentials.user}:${credentials.password}`
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
    this.playPictures(socket)
    if (this.options.sound) this.playSound(socket, SOUNDS[this.options.sound].bytes)
  }

  private playPictures(socket: Socket): void {
    const { fps = 15, speed = 1, freezesAfter = Infinity, withoutKeyframes = 0, loses = Infinity } = this.options
    let frame = 0
    let sequence = 0
    const send = () => {
      if (frame >= freezesAfter) return
      const picture = this.pictures[frame % this.pictures.length]
      const payloads = packetize(picture?.keyframe && frame < withoutKeyframes ? [] : this.nalsOf(picture))
      payloads.forEach((payload, i) => {
        const timestamp = (frame * 90_000) / fps
        const packet = interleaved(0, payload, { type: 96, sequence, timestamp, marker: i === payloads.length - 1 })
        if (++sequence % loses !== 0) socket.write(packet)
      })
      this.playedMs = (frame++ * 1000) / fps
    }
    const timer = setInterval(send, 1000 / fps / speed)
    socket.on('close', () => clearInterval(timer))
  }

  private nalsOf(picture: Picture | undefined): Buffer[] {
    // The heads of a parameter set and of a slice of H.265.
    if (this.options.lies) return [Buffer.from([0x42, 1, 1, 1]), Buffer.alloc(300, 2)]
    return [...(picture?.nals ?? [])]
  }

  private playSound(socket: Socket, bytes: number): void {
    const sound = this.options.sound === 'g726' ? g726() : TONE
    let count = 0
    const begun = performance.now()
    const timer = setInterval(() => {
      for (; count * SOUND_MS < performance.now() - begun; count++) {
        const at = (count * bytes) % sound.length
        const head = { type: 97, sequence: count, timestamp: count * 160, marker: false }
        socket.write(interleaved(2, sound.subarray(at, at + bytes), head))
      }
    }, SOUND_MS)
    socket.on('close', () => clearInterval(timer))
  }
}

interface Head {
  readonly type: number
  readonly sequence: number
  readonly timestamp: number
  readonly marker: boolean
}

/** An RTP packet in the RTSP connection (RFC 2326 §10.12). */
function interleaved(channel: number, payload: Buffer, { type, sequence, timestamp, marker }: Head): Buffer {
  const head = Buffer.alloc(16)
  head.write('$', 0)
  head.writeUInt8(channel, 1)
  head.writeUInt16BE(payload.length + 12, 2)
  head.writeUInt8(0x80, 4)
  head.writeUInt8((marker ? 0x80 : 0) | type, 5)
  head.writeUInt16BE(sequence & 0xffff, 6)
  head.writeUInt32BE(timestamp >>> 0, 8)
  head.writeUInt32BE(0x1234 + channel, 12)
  return Buffer.concat([head, payload])
}
