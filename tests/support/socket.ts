import WebSocket, { type ClientOptions } from 'ws'

/** WebSocket with an inbox. Tests wait for messages by content. Binary messages appear as `{ binary }`. */
export class TestSocket {
  readonly #ws: WebSocket
  readonly #inbox: Record<string, unknown>[] = []
  readonly #pendingMatches = new Set<() => void>()
  readonly closeCode: Promise<number>

  constructor(ws: WebSocket) {
    this.#ws = ws
    ws.on('message', (data: Buffer, isBinary: boolean) => {
      this.#inbox.push(isBinary ? { binary: data } : (JSON.parse(data.toString('utf8')) as Record<string, unknown>))
      for (const look of this.#pendingMatches) look()
    })
    this.closeCode = new Promise((resolve) => ws.on('close', resolve))
  }

  send(message: unknown): void {
    this.#ws.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message))
  }

  close(): Promise<number> {
    this.#ws.close()
    return this.closeCode
  }

  /** Waits for the first message for which `matches` returns true, removes it from the inbox and returns it. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read any field of a message
  receive(matches: (message: any) => boolean): Promise<any> {
    return new Promise((resolve) => {
      const tryMatch = () => {
        const at = this.#inbox.findIndex(matches)
        if (at < 0) return
        this.#pendingMatches.delete(tryMatch)
        resolve(this.#inbox.splice(at, 1)[0])
      }
      this.#pendingMatches.add(tryMatch)
      tryMatch()
    })
  }

  /**
   * Waits until the server has processed all earlier messages. Only bridge sockets support this. The additional field
   * makes the `Bridge` object answer, in order, instead of the runtime.
   */
  async ping(): Promise<void> {
    this.send({ type: 'ping', in_order: true })
    await this.receive((message) => message.type === 'pong')
  }

  get isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN
  }

  countMessages(matches: (message: Record<string, unknown>) => boolean): number {
    return this.#inbox.filter(matches).length
  }

  clearInbox(): void {
    this.#inbox.length = 0
  }
}

/** Opens a socket; rejects with the HTTP status if the upgrade is rejected. */
export function openSocket(
  url: string,
  options: { origin?: string; headers?: Record<string, string> } = {},
): Promise<TestSocket> {
  return new Promise((resolve, reject) => {
    /*
     * The Workers runtime ends its side of a closed connection late, so the client waits only 50 ms for it. Tests need
     * only the close frame.
     */
    const settings: ClientOptions & { closeTimeout: number } = { ...options, closeTimeout: 50 }
    const ws = new WebSocket(url, settings)
    const socket = new TestSocket(ws)
    ws.on('open', () => resolve(socket))
    ws.on('unexpected-response', (_request, response) => reject(new Error(String(response.statusCode))))
    ws.on('error', reject)
  })
}
