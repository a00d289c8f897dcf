import { randomUUID } from 'node:crypto'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { RtspLine, type RtspRefusal } from './rtsp-line.ts'
import { bytesOfMessage, getHeader, RtspReader, parseStatus, withHeader, type RtspMessage } from './rtsp-messages.ts'

const LOOPBACK = '127.0.0.1'

export interface GateEvents {
  /** The camera has described its stream (RFC 4566); a player gets it at `address`, once. */
  described(description: string, address: string): void
  /** There is no stream, or no more of it. At most once, and not after `close`. */
  refused(refusal: RtspRefusal): void
}

/**
 * Stands between a camera and ffmpeg, which follows a camera to any host and takes the password along. The gate signs in,
 * refuses other hosts, and leaves the stream when it is closed; ffmpeg knows neither the camera's address nor its login.
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

  /** Other programs of this computer do not know the token. */
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

  /** Answer that the camera has given to this request already. An OPTIONS that keeps the connection goes to the camera. */
  private findCachedAnswer({ start }: RtspMessage): RtspMessage | undefined {
    if (!start.includes(this.token)) return undefined
    if (start.startsWith('OPTIONS ')) return this.options
    return start.startsWith('DESCRIBE ') ? this.description : undefined
  }
}

/** Replaces a base that is no address, such as rtsp://rtsp://host/path or host/path: SETUP and PLAY name it. */
function withBase(answer: RtspMessage, requestUrl: string): RtspMessage {
  const base = getHeader(answer, 'Content-Base') ?? ''
  const url = URL.parse(base)
  const isAddress = url !== null && /^rtsps?:$/.test(url.protocol) && !/^(rtsps?)?$/.test(url.hostname)
  return withHeader(answer, 'Content-Base', isAddress ? base : requestUrl)
}

/** Datagrams come from the camera and go back to it, whatever address it names (RFC 2326 §12.39). */
function withSource(answer: RtspMessage, address: string): RtspMessage {
  const transport = getHeader(answer, 'Transport')
  if (transport === undefined || !/server_port=/i.test(transport)) return answer
  const own = transport.split(';').filter((part) => !/^ *source=/i.test(part))
  return withHeader(answer, 'Transport', [...own, `source=${address}`].join(';'))
}
