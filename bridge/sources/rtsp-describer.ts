import { RtspCameraSocket, type RtspRefusal } from './rtsp-camera-socket.ts'
import { parseStatus, type RtspMessage } from './rtsp-messages.ts'

const DESCRIBE_TIMEOUT_MS = 4000
/** Maximum number of connections, for cameras that close the connection after each error. */
const CONNECTIONS_MAX = 7

/** Response to DESCRIBE. `status`: 0 without a response. */
export interface RtspDescription {
  readonly status: number
  /** SDP (RFC 4566). */
  readonly sdp: string
  readonly refusal?: RtspRefusal
}

/** Reads the descriptions of several paths of one camera, if possible on one connection and with one login. */
export class RtspDescriber {
  readonly #url: URL
  #socket: RtspCameraSocket | undefined
  #connections = 0
  #sequence = 0
  #settle: ((description: RtspDescription) => void) | undefined

  /** `url`: host, port, user and password; the path does not matter. */
  constructor(url: URL) {
    this.#url = url
  }

  async describe(path: string): Promise<RtspDescription> {
    const wasConnected = this.#socket !== undefined
    const first = await this.#request(path)
    // The camera may have closed the connection after its previous response.
    return first.status === 0 && wasConnected && first.refusal ? this.#request(path) : first
  }

  close(): void {
    this.#socket?.close()
    this.#socket = undefined
  }

  #request(path: string): Promise<RtspDescription> {
    if (!this.#socket && ++this.#connections > CONNECTIONS_MAX) return Promise.resolve({ status: 0, sdp: '' })
    const socket = (this.#socket ??= this.#connect())
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.close()
        this.#settle?.({ status: 0, sdp: '' })
      }, DESCRIBE_TIMEOUT_MS)
      this.#settle = (description) => {
        this.#settle = undefined
        clearTimeout(timer)
        resolve(description)
      }
      const { protocol, host } = this.#url
      const headers = `CSeq: ${++this.#sequence}\r\nUser-Agent: Porchlight\r\nAccept: application/sdp\r\n`
      socket.send({ start: `DESCRIBE ${protocol}//${host}${path} RTSP/1.0`, headers, body: '' })
    })
  }

  #connect(): RtspCameraSocket {
    const socket: RtspCameraSocket = new RtspCameraSocket(this.#url, {
      onResponse: (response: RtspMessage) => {
        if (socket === this.#socket) this.#settle?.({ status: parseStatus(response), sdp: response.body })
      },
      onBytes: () => undefined,
      onRefused: (refusal) => {
        if (socket !== this.#socket) return
        this.#socket = undefined
        this.#settle?.({ status: refusal.status ?? 0, sdp: '', refusal })
      },
    })
    return socket
  }
}
