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
      onResponse: (response) => this.#handleCameraResponse(response),
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

  #handleCameraResponse(response: RtspMessage): void {
    if (this.#player)
      return this.#forwardToPlayer(encodeMessage(withSourceAddress(response, this.#camera.remoteAddress)))
    const status = parseStatus(response)
    if (status !== 200) return this.#closeWithRefusal({ status })
    if (!this.#optionsResponse) {
      this.#optionsResponse = response
      return this.#camera.sendBridgeRequest('DESCRIBE', 'Accept: application/sdp')
    }
    this.#descriptionResponse = withValidContentBase(response, this.#camera.uri)
    this.#server.listen(0, LOOPBACK, () => {
      const { port } = this.#server.address() as AddressInfo
      this.#events.onDescription(response.body, `rtsp://${LOOPBACK}:${port}/${this.#token}`)
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
    const cachedResponse = this.#findCachedResponse(part)
    if (!cachedResponse) return this.#camera.send(part)
    socket.write(encodeMessage(withHeader(cachedResponse, 'CSeq', getHeader(part, 'CSeq') ?? '0')))
  }

  /**
   * Returns the cached response to an OPTIONS or DESCRIBE request that contains the token; undefined for all other
   * requests. Keep-alive OPTIONS requests do not contain the token, so the proxy forwards them.
   */
  #findCachedResponse({ start }: RtspMessage): RtspMessage | undefined {
    if (!start.includes(this.#token)) return undefined
    if (start.startsWith('OPTIONS ')) return this.#optionsResponse
    return start.startsWith('DESCRIBE ') ? this.#descriptionResponse : undefined
  }
}

/**
 * Replaces a missing Content-Base header, or an invalid one such as rtsp://rtsp://host/path, because ffmpeg derives the
 * URLs of SETUP and PLAY from this header.
 */
function withValidContentBase(response: RtspMessage, requestUrl: string): RtspMessage {
  const base = getHeader(response, 'Content-Base') ?? ''
  const url = URL.parse(base)
  const isValidUrl = url !== null && /^rtsps?:$/.test(url.protocol) && !/^(rtsps?)?$/.test(url.hostname)
  return withHeader(response, 'Content-Base', isValidUrl ? base : requestUrl)
}

/**
 * Sets `source` in the Transport header of a UDP stream to `address`, the real sender of the UDP packets. The camera
 * may state a different address (RFC 2326 §12.39).
 */
function withSourceAddress(response: RtspMessage, address: string): RtspMessage {
  const transport = getHeader(response, 'Transport')
  if (transport === undefined || !/server_port=/i.test(transport)) return response
  const own = transport.split(';').filter((part) => !/^ *source=/i.test(part))
  return withHeader(response, 'Transport', [...own, `source=${address}`].join(';'))
}
