import { randomUUID } from 'node:crypto'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { RtspCameraSocket, type RtspRefusal } from './rtsp-camera-socket.ts'
import { encodeMessage, getHeader, RtspReader, parseStatus, withHeader, type RtspMessage } from './rtsp-messages.ts'

const LOOPBACK = '127.0.0.1'

export interface RtspProxyEvents {
  /** Called when the camera has sent its SDP (RFC 4566). One player can then read the stream at `address`. */
  onDescription(description: string, address: string): void
  /** Called when the camera refuses the stream or the stream ends; at most once, and not after `close`. */
  onRefused(refusal: RtspRefusal): void
}

/**
 * Proxies RTSP between a camera and ffmpeg, because ffmpeg would send the password to any host after a redirect. The
 * proxy signs in, and rejects redirects to other hosts. ffmpeg does not get the login.
 */
export class RtspProxy {
  readonly #camera: RtspCameraSocket
  readonly #events: RtspProxyEvents
  readonly #server: Server
  readonly #token = randomUUID()
  #player: Socket | undefined
  #optionsResponse: RtspMessage | undefined
  #descriptionResponse: RtspMessage | undefined
  #isClosed = false

  constructor(url: URL, events: RtspProxyEvents) {
    this.#events = events
    this.#server = createServer((socket) => this.#acceptPlayer(socket))
    this.#server.on('error', () => this.#closeWithRefusal({}))
    this.#camera = new RtspCameraSocket(url, {
      onResponse: (answer) => this.#handleCameraResponse(answer),
      onBytes: (bytes) => this.#forwardToPlayer(bytes),
      onRefused: (refusal) => this.#closeWithRefusal(refusal),
    })
    this.#camera.sendBridgeRequest('OPTIONS')
  }

  close(): void {
    this.#isClosed = true
    this.#server.close()
    this.#player?.destroy()
    this.#camera.close()
  }

  #closeWithRefusal(refusal: RtspRefusal): void {
    if (this.#isClosed) return
    this.close()
    this.#events.onRefused(refusal)
  }

  #handleCameraResponse(answer: RtspMessage): void {
    if (this.#player) return this.#forwardToPlayer(encodeMessage(withSourceAddress(answer, this.#camera.remoteAddress)))
    const status = parseStatus(answer)
    if (status !== 200) return this.#closeWithRefusal({ status })
    if (!this.#optionsResponse) {
      this.#optionsResponse = answer
      return this.#camera.sendBridgeRequest('DESCRIBE', 'Accept: application/sdp')
    }
    this.#descriptionResponse = withValidContentBase(answer, this.#camera.uri)
    this.#server.listen(0, LOOPBACK, () => {
      const { port } = this.#server.address() as AddressInfo
      this.#events.onDescription(answer.body, `rtsp://${LOOPBACK}:${port}/${this.#token}`)
    })
  }

  #forwardToPlayer(bytes: Buffer): void {
    if (!this.#player || this.#player.write(bytes)) return
    this.#camera.pause()
    this.#player.once('drain', () => this.#camera.resume())
  }

  /** Reads requests of a local program. Only a program that knows the random token (ffmpeg) becomes the player. */
  #acceptPlayer(socket: Socket): void {
    const reader = new RtspReader('request')
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      try {
        for (const part of reader.push(data)) this.#handlePart(socket, part)
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        socket.destroy()
      }
    })
  }

  #handlePart(socket: Socket, part: RtspMessage | Buffer): void {
    if (this.#isClosed) return
    if (!this.#player && !Buffer.isBuffer(part) && part.start.includes(this.#token)) {
      this.#player = socket
      this.#server.close()
    }
    if (socket !== this.#player) return void socket.destroy()
    if (Buffer.isBuffer(part)) return this.#camera.write(part)
    const cachedAnswer = this.#findCachedAnswer(part)
    if (!cachedAnswer) return this.#camera.send(part)
    socket.write(encodeMessage(withHeader(cachedAnswer, 'CSeq', getHeader(part, 'CSeq') ?? '0')))
  }

  /**
   * Returns the cached response to an OPTIONS or DESCRIBE request that contains the token; undefined for all other
   * requests. Keep-alive OPTIONS requests do not contain the token, so the proxy forwards them.
   */
  #findCachedAnswer({ start }: RtspMessage): RtspMessage | undefined {
    if (!start.includes(this.#token)) return undefined
    if (start.startsWith('OPTIONS ')) return this.#optionsResponse
    return start.startsWith('DESCRIBE ') ? this.#descriptionResponse : undefined
  }
}

/**
 * Replaces a missing Content-Base header, or an invalid one such as rtsp://rtsp://host/path, because ffmpeg derives the
 * URLs of SETUP and PLAY from this header.
 */
function withValidContentBase(answer: RtspMessage, requestUrl: string): RtspMessage {
  const base = getHeader(answer, 'Content-Base') ?? ''
  const url = URL.parse(base)
  const isAddress = url !== null && /^rtsps?:$/.test(url.protocol) && !/^(rtsps?)?$/.test(url.hostname)
  return withHeader(answer, 'Content-Base', isAddress ? base : requestUrl)
}

/**
 * Sets `source` in the Transport header of a UDP stream to `address`, the real sender of the UDP packets. The camera
 * may state a different address (RFC 2326 §12.39).
 */
function withSourceAddress(answer: RtspMessage, address: string): RtspMessage {
  const transport = getHeader(answer, 'Transport')
  if (transport === undefined || !/server_port=/i.test(transport)) return answer
  const own = transport.split(';').filter((part) => !/^ *source=/i.test(part))
  return withHeader(answer, 'Transport', [...own, `source=${address}`].join(';'))
}
