import WebSocket, { type ClientOptions } from 'ws'

/** WebSocket whose messages can be awaited by content; binary messages are `{ binary }`. */
export class Socket {
  private readonly ws: WebSocket
  private readonly inbox: Record<string, unknown>[] = []
  private readonly waiting = new Set<() => void>()
  readonly closed: Promise<number>

  constructor(ws: WebSocket) {
    this.ws = ws
    ws.on('message', (data: Buffer, isBinary: boolean) => {
      this.inbox.push(isBinary ? { binary: data } : (JSON.parse(data.toString('utf8')) as Record<string, unknown>))
      for (const look of this.waiting) look()
    })
    this.closed = new Promise((resolve) => ws.on('close', resolve))
  }

  send(message: unknown): void {
    this.ws.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message))
  }

  close(): Promise<number> {
    this.ws.close()
    return this.closed
  }

  /**
   * Removes and returns the first message for which `fits` is true, and waits for one if necessary. All other messages
   * stay in the inbox.
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- messages are looked into, field by field
  receive(fits: (message: any) => boolean): Promise<any> {
    return new Promise((resolve) => {
      const tryMatch = () => {
        const at = this.inbox.findIndex(fits)
        if (at < 0) return
        this.waiting.delete(tryMatch)
        resolve(this.inbox.splice(at, 1)[0])
      }
      this.waiting.add(tryMatch)
      tryMatch()
    })
  }

  /** Bridges only: when the promise resolves, the server has processed all earlier messages. */
  async ping(): Promise<void> {
    this.send({ type: 'ping' })
    await this.receive((message) => message.type === 'pong')
  }

  get isOpen(): boolean {
    return this.ws.readyState === WebSocket.OPEN
  }

  /** Returns the number of messages in the inbox for which `fits` is true. */
  seen(fits: (message: Record<string, unknown>) => boolean): number {
    return this.inbox.filter(fits).length
  }

  clearInbox(): void {
    this.inbox.length = 0
  }
}

/** Opens a socket; rejects with the HTTP status if the upgrade is rejected. */
export function openSocket(
  url: string,
  options: { origin?: string; headers?: Record<string, string> } = {},
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    /*
     * The Workers runtime ends its side of a closed connection late, so the client waits only 50 ms for it. Tests need
     * only the close frame.
     */
    const settings: ClientOptions & { closeTimeout: number } = { ...options, closeTimeout: 50 }
    const ws = new WebSocket(url, settings)
    const socket = new Socket(ws)
    ws.on('open', () => resolve(socket))
    ws.on('unexpected-response', (_request, response) => reject(new Error(String(response.statusCode))))
    ws.on('error', reject)
  })
}
