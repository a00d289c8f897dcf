import { createSocket } from 'node:dgram'
import { createServer, type Server, type Socket } from 'node:net'
import { getNalType, NAL_TYPE, splitFrames, type EncodedFrame } from '../../bridge/media/h264/annex-b.ts'
import { packetize } from '../../bridge/webrtc/h264-packetizer.ts'
import { RtspAuthentication, type RtspCredentials } from './rtsp-authentication.ts'
import { encodeG726Tone, wrapInterleaved, buildRtpPacket, AUDIO_PACKET_MS, AUDIO_ENCODINGS, TONE_20MS } from './rtp.ts'

export interface RtspServerOptions {
  /** Annex B stream, played in a loop. */
  readonly stream: Buffer
  readonly fps?: number
  /** Factor by which the camera sends faster than its timestamps. */
  readonly speedFactor?: number
  readonly credentials?: RtspCredentials
  /**
   * The only path at which the camera serves its stream. The camera redirects requests for other paths to this path.
   */
  readonly redirectPath?: string
  /** Paths with query of the streams. The camera answers 404 for others, before or after it asks for a login. */
  readonly paths?: readonly string[]
  /** Answers 404 for an unknown path even without a login. */
  readonly revealsPaths?: boolean
  /** Closes the connection after each 404. */
  readonly closesAfterNotFound?: boolean
  /** Returns the Content-Base of the description. SETUP succeeds only for the camera's real URL. */
  readonly getContentBase?: (camera: { host: string; port: number }) => string
  /** Video codec in the description. It does not change the sent video, which is H.264 unless `sendsH265` is set. */
  readonly codec?: 'H264' | 'H265' | 'MP4V-ES'
  /** Fixed status lines by method, such as `503 Service Unavailable`. */
  readonly fixedResponses?: Readonly<Record<string, string>>
  /** End of the URLs that the camera rejects with 403. */
  readonly forbiddenSuffix?: string
  /** Delays the description until the promise is fulfilled. */
  readonly descriptionDelay?: Promise<unknown>
  /** Replaces the generated session description (SDP). */
  readonly description?: string
  /** Sends only by UDP. Rejects any other transport with 461 (RFC 2326 §12.39). */
  readonly isUdpOnly?: boolean
  /** Sends packets that contain no video. */
  readonly sendsGarbage?: boolean
  /** Number of frames at the start of each connection in which the camera omits keyframes. */
  readonly keyframelessFrameCount?: number
  /** Answers PLAY and then sends nothing. */
  readonly isSilent?: boolean
  /** Number of frames per connection. Afterward the camera sends nothing but leaves the socket open. */
  readonly framesUntilFreeze?: number
  /** Drops every Nth video packet. */
  readonly lossInterval?: number
  /** Sends H.265 NAL units, regardless of the description. */
  readonly sendsH265?: boolean
  /** Omits parameter sets from the description; they arrive only with the keyframes. */
  readonly omitsParameterSets?: boolean
  /** Audio track: a tone as G.711 or G.726, or an encoding that no client can read. */
  readonly sound?: keyof typeof AUDIO_ENCODINGS
  readonly date?: Date
  /** Called for each sent frame with its index in the stream. */
  readonly onSent?: (index: number) => void
}

type SendResponse = (status: string, headers?: readonly string[], body?: string) => void
type PacketSender = (packet: Buffer) => unknown

/**
 * Fake RTSP camera (RFC 2326) with OPTIONS, DESCRIBE, SETUP and PLAY. It sends frames interleaved on the connection or
 * by UDP.
 */
export class RtspServer {
  playCount = 0
  rejectedTransportCount = 0
  /** Per request: its method, and whether it had credentials. */
  readonly requests: string[] = []
  /** URLs of the DESCRIBE requests. */
  readonly describedUrls: string[] = []
  /** Timestamp of the last sent frame, in ms after the first frame on the same connection. */
  playDurationMs = 0
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #senders = new WeakMap<Socket, Map<number, PacketSender>>()
  #pictures: readonly EncodedFrame[]
  readonly #options: RtspServerOptions
  readonly #authentication: RtspAuthentication

  private constructor(options: RtspServerOptions) {
    this.#options = options
    this.#authentication = new RtspAuthentication(options.credentials)
    this.#pictures = splitFrames(options.stream)
    this.#server = createServer((socket) => this.#acceptSocket(socket))
  }

  static async start(options: RtspServerOptions, port = 0): Promise<RtspServer> {
    const camera = new RtspServer(options)
    await new Promise<void>((resolve) => camera.#server.listen(port, '127.0.0.1', resolve))
    return camera
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  get connectionCount(): number {
    return this.#sockets.size
  }

  url(credentials = ''): string {
    return `rtsp://${credentials && `${credentials}@`}127.0.0.1:${this.port}/stream`
  }

  /** Replaces the stream, on open connections too. */
  replaceStream(stream: Buffer): void {
    this.#pictures = splitFrames(stream)
  }

  /** Closes all connections, as a camera that loses power does. */
  closeConnections(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    this.closeConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #acceptSocket(socket: Socket): void {
    this.#sockets.add(socket)
    this.#senders.set(socket, new Map())
    let text = ''
    socket.on('error', () => undefined)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('data', (data) => {
      text += data.toString('latin1')
      for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
        const request = text.slice(0, end)
        text = text.slice(end + 4)
        if (/^[A-Z_]+ /.test(request)) this.#handleRequest(socket, request)
      }
    })
  }

  #handleRequest(socket: Socket, request: string): void {
    const method = request.slice(0, request.indexOf(' '))
    const sequence = /^CSeq: *(\d+)/im.exec(request)?.[1] ?? '0'
    const sendResponse: SendResponse = (status, headers = [], body = '') => {
      const lines = [`RTSP/1.0 ${status}`, `CSeq: ${sequence}`, ...headers, `Content-Length: ${body.length}`]
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
    }
    this.requests.push(/^Authorization:/im.test(request) ? `${method} with credentials` : method)
    const url = request.split(' ')[1] ?? ''
    if (method === 'DESCRIBE') this.describedUrls.push(url)
    const sendNotFound = () => {
      sendResponse('404 Not Found')
      if (this.#options.closesAfterNotFound) socket.end()
    }
    const { paths, revealsPaths } = this.#options
    const isUnknownPath = method === 'DESCRIBE' && paths !== undefined && !paths.some((path) => url.endsWith(path))
    if (isUnknownPath && revealsPaths) return sendNotFound()
    if (method !== 'OPTIONS' && !this.#authentication.isAuthorized(request))
      return sendResponse('401 Unauthorized', this.#authentication.createChallenges())
    if (isUnknownPath) return sendNotFound()
    const { redirectPath } = this.#options
    if (redirectPath !== undefined && !request.split(' ')[1]?.includes(redirectPath))
      return sendResponse('302 Moved Temporarily', [`Location: rtsp://127.0.0.1:${this.port}${redirectPath}`])
    if (this.#options.forbiddenSuffix !== undefined && request.split(' ')[1]?.endsWith(this.#options.forbiddenSuffix))
      return sendResponse('403 Forbidden')
    const fixedResponse = this.#options.fixedResponses?.[method]
    if (fixedResponse !== undefined) return sendResponse(fixedResponse)
    const date = this.#options.date === undefined ? [] : [`Date: ${this.#options.date.toUTCString()}`]
    if (method === 'OPTIONS')
      return sendResponse('200 OK', ['Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN', ...date])
    const { getContentBase = () => (paths ? url : `${this.url()}/`) } = this.#options
    const contentBase = getContentBase({ host: '127.0.0.1', port: this.port })
    const descriptionHeaders = ['Content-Type: application/sdp', ...(contentBase && [`Content-Base: ${contentBase}`])]
    const isServedUrl = paths ? paths.some((path) => url.includes(path)) : url.startsWith(this.url())
    if (method === 'SETUP' && !isServedUrl && redirectPath === undefined) return sendResponse('404 Not Found')
    const describe = () =>
      sendResponse('200 OK', descriptionHeaders, this.#options.description ?? this.#buildDescription())
    if (method === 'DESCRIBE') return void (this.#options.descriptionDelay ?? Promise.resolve()).then(describe)
    if (method === 'SETUP') return void this.#setUp(socket, request, sendResponse)
    sendResponse('200 OK', ['Session: 1'])
    if (method === 'PLAY') this.#play(socket)
  }

  async #setUp(socket: Socket, request: string, sendResponse: SendResponse): Promise<void> {
    const channel = /^SETUP \S*track2/.test(request) ? 2 : 0
    const senders = this.#senders.get(socket)
    if (!this.#options.isUdpOnly) {
      senders?.set(channel, (packet) => socket.write(wrapInterleaved(channel, packet)))
      const transport = `RTP/AVP/TCP;unicast;interleaved=${channel}-${channel + 1}`
      return sendResponse('200 OK', [`Transport: ${transport}`, 'Session: 1;timeout=60'])
    }
    const [, port] = /client_port=(\d+)/.exec(request) ?? []
    if (port === undefined) {
      this.rejectedTransportCount++
      return sendResponse('461 Unsupported Transport')
    }
    const udpSocket = createSocket('udp4')
    socket.on('close', () => udpSocket.close())
    udpSocket.on('error', () => undefined)
    await new Promise<void>((resolve) => udpSocket.bind(0, '127.0.0.1', resolve))
    senders?.set(channel, (packet) => this.#sockets.has(socket) && udpSocket.send(packet, Number(port), '127.0.0.1'))
    const ownPort = udpSocket.address().port
    const transport = `RTP/AVP;unicast;client_port=${port}-${Number(port) + 1};server_port=${ownPort}-${ownPort + 1}`
    sendResponse('200 OK', [`Transport: ${transport}`, 'Session: 1;timeout=60'])
  }

  #buildDescription(): string {
    const first = this.#pictures[0]?.nals ?? []
    const parameterSets = [NAL_TYPE.sps, NAL_TYPE.pps].flatMap((type) =>
      first.filter((nal) => getNalType(nal) === type),
    )
    const format = `packetization-mode=1;sprop-parameter-sets=${parameterSets.map((nal) => nal.toString('base64')).join(',')}`
    const codec = this.#options.codec ?? 'H264'
    const video = [
      'm=video 0 RTP/AVP 96',
      `a=rtpmap:96 ${codec}/90000`,
      ...(codec === 'H264' && !this.#options.omitsParameterSets ? [`a=fmtp:96 ${format}`] : []),
      'a=control:track1',
    ]
    const encodingName = this.#options.sound && AUDIO_ENCODINGS[this.#options.sound].name
    const sound = encodingName ? ['m=audio 0 RTP/AVP 97', `a=rtpmap:97 ${encodingName}/8000`, 'a=control:track2'] : []
    return ['v=0', 'o=- 0 0 IN IP4 127.0.0.1', 's=camera', 't=0 0', ...video, ...sound, ''].join('\r\n')
  }

  #play(socket: Socket): void {
    this.playCount++
    if (this.#options.isSilent) return
    const senders = this.#senders.get(socket)
    const videoSender = senders?.get(0)
    const audioSender = senders?.get(2)
    if (videoSender) this.#playPictures(socket, videoSender)
    if (audioSender && this.#options.sound)
      this.#playSound(socket, audioSender, AUDIO_ENCODINGS[this.#options.sound].bytes)
  }

  #playPictures(socket: Socket, sender: PacketSender): void {
    const {
      fps = 15,
      speedFactor = 1,
      framesUntilFreeze = Infinity,
      keyframelessFrameCount = 0,
      lossInterval = Infinity,
    } = this.#options
    let frame = 0
    let sequence = 0
    const send = () => {
      if (frame >= framesUntilFreeze) return
      const picture = this.#pictures[frame % this.#pictures.length]
      const payloads = packetize(picture?.keyframe && frame < keyframelessFrameCount ? [] : this.#selectNals(picture))
      payloads.forEach((payload, i) => {
        const timestamp = (frame * 90_000) / fps
        const packet = buildRtpPacket(0, payload, { type: 96, sequence, timestamp, marker: i === payloads.length - 1 })
        if (++sequence % lossInterval !== 0) sender(packet)
      })
      this.#options.onSent?.(frame % this.#pictures.length)
      this.playDurationMs = (frame++ * 1000) / fps
    }
    const timer = setInterval(send, 1000 / fps / speedFactor)
    socket.on('close', () => clearInterval(timer))
  }

  #selectNals(picture: EncodedFrame | undefined): Buffer[] {
    if (this.#options.sendsGarbage) return [Buffer.from(`not a picture, number ${this.playDurationMs}`.repeat(9))]
    // NAL headers of an H.265 parameter set and an H.265 slice.
    if (this.#options.sendsH265) return [Buffer.from([0x42, 1, 1, 1]), Buffer.alloc(300, 2)]
    return [...(picture?.nals ?? [])]
  }

  #playSound(socket: Socket, sender: PacketSender, bytesPerPacket: number): void {
    const sound = this.#options.sound === 'g726' ? encodeG726Tone() : TONE_20MS
    let count = 0
    const startedAt = performance.now()
    const timer = setInterval(() => {
      for (; count * AUDIO_PACKET_MS < performance.now() - startedAt; count++) {
        const at = (count * bytesPerPacket) % sound.length
        const head = { type: 97, sequence: count, timestamp: count * 160, marker: false }
        sender(buildRtpPacket(2, sound.subarray(at, at + bytesPerPacket), head))
      }
    }, AUDIO_PACKET_MS)
    socket.on('close', () => clearInterval(timer))
  }
}
