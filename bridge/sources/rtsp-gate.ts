import { randomUUID } from 'node:crypto'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { RtspLine, type RtspRefusal } from './rtsp-line.ts'
import { bytesOfMessage, getHeader, RtspReader, parseStatus, withHeader, type RtspMessage } from './rtsp-messages.ts'

const LOOPBACK = '127.0.0.1'

export interface GateEvents {
  /** Called when the camera has sent its SDP (RFC 4566). One player can then read the stream at `address`, once. */
  described(description: string, address: string): void
  /** Called when the camera refuses the stream or the stream ends; at most once, and not after `close`. */
  refused(refusal: RtspRefusal): void
}

/**
 * Proxies RTSP between a camera and ffmpeg, because ffmpeg would follow a redirect to any host and send the password
 * there. The gate signs in, rejects other hosts, and leaves the stream on close; ffmpeg learns neither the camera's
 * address nor its login.
 */
export class RtspGate {
  private readonly line: RtspLine
  private readonly events: GateEvents
  private readonly server: Server
  private readonly token = randomUUID()
  private player: Socket | undefined
  private options: RtspMessage | undefined
  private description: RtspMessage | undefined
  private over = false

  constructor(url: URL, events: GateEvents) {
    this.events = events
    this.server = createServer((socket) => this.accept(socket))
    this.server.on('error', () => this.refuse({}))
    this.line = new RtspLine(url, {
      answer: (answer) => this.hear(answer),
      bytes: (bytes) => this.pass(bytes),
      refused: (refusal) => this.refuse(refusal),
    })
    this.line.sendBridgeRequest('OPTIONS')
  }

  close(): void {
    this.over = true
    this.server.close()
    this.player?.destroy()
    this.line.close()
  }

  private refuse(refusal: RtspRefusal): void {
    if (this.over) return
    this.close()
    this.events.refused(refusal)
  }

  private hear(answer: RtspMessage): void {
    if (this.player) return this.pass(bytesOfMessage(withSource(answer, this.line.remoteAddress)))
    const status = parseStatus(answer)
    if (status !== 200) return this.refuse({ status })
    if (!this.options) {
      this.options = answer
      return this.line.sendBridgeRequest('DESCRIBE', 'Accept: application/sdp')
    }
    this.description = withBase(answer, this.line.uri)
    this.server.listen(0, LOOPBACK, () => {
      const { port } = this.server.address() as AddressInfo
      this.events.described(answer.body, `rtsp://${LOOPBACK}:${port}/${this.token}`)
    })
  }

  private pass(bytes: Buffer): void {
    if (!this.player || this.player.write(bytes)) return
    this.line.pause()
    this.player.once('drain', () => this.line.resume())
  }

  /**
   * Reads requests of a local program. Only a program that knows the random token becomes the player, which keeps out
   * other programs on this computer.
   */
  private accept(socket: Socket): void {
    const reader = new RtspReader('request')
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      try {
        for (const part of reader.push(data)) this.handlePart(socket, part)
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        socket.destroy()
      }
    })
  }

  private handlePart(socket: Socket, part: RtspMessage | Buffer): void {
    if (this.over) return
    if (!this.player && !Buffer.isBuffer(part) && part.start.includes(this.token)) {
      this.player = socket
      this.server.close()
    }
    if (socket !== this.player) return void socket.destroy()
    if (Buffer.isBuffer(part)) return this.line.write(part)
    const cachedAnswer = this.findCachedAnswer(part)
    if (!cachedAnswer) return this.line.send(part)
    socket.write(bytesOfMessage(withHeader(cachedAnswer, 'CSeq', getHeader(part, 'CSeq') ?? '0')))
  }

  /**
   * Returns the cached response of the camera to a request that contains the token. Keep-alive OPTIONS requests do not,
   * so the gate forwards them to the camera.
   */
  private findCachedAnswer({ start }: RtspMessage): RtspMessage | undefined {
    if (!start.includes(this.token)) return undefined
    if (start.startsWith('OPTIONS ')) return this.options
    return start.startsWith('DESCRIBE ') ? this.description : undefined
  }
}

/**
 * Replaces an invalid Content-Base, such as rtsp://rtsp://host/path or host/path, because ffmpeg uses it for SETUP and
 * PLAY.
 */
function withBase(answer: RtspMessage, requestUrl: string): RtspMessage {
  const base = getHeader(answer, 'Content-Base') ?? ''
  const url = URL.parse(base)
  const isAddress = url !== null && /^rtsps?:$/.test(url.protocol) && !/^(rtsps?)?$/.test(url.hostname)
  return withHeader(answer, 'Content-Base', isAddress ? base : requestUrl)
}

/**
 * Sets `source` in the Transport header to `address`: UDP packets travel to and from that address, regardless of the
 * one that the camera states (RFC 2326 §12.39).
 */
function withSource(answer: RtspMessage, address: string): RtspMessage {
  const transport = getHeader(answer, 'Transport')
  if (transport === undefined || !/server_port=/i.test(transport)) return answer
  const own = transport.split(';').filter((part) => !/^ *source=/i.test(part))
  return withHeader(answer, 'Transport', [...own, `source=${address}`].join(';'))
}
