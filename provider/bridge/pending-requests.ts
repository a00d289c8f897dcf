/** Default response timeout. An older bridge does not respond to a request that it does not support. */
const RESPONSE_TIMEOUT_MS = 8000

/** Requests to a bridge, matched by id to responses that arrive as separate messages. */
export class PendingRequests<Response extends object> {
  readonly #resolvers = new Map<string, (answer: Response) => void>()
  readonly #timeoutMs: number

  constructor(timeoutMs = RESPONSE_TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs
  }

  /**
   * Sends a request and waits for its response. `send` sends the request with the given id, and returns false if the
   * bridge is disconnected.
   */
  async sendRequest(
    send: (id: string) => boolean | Promise<boolean>,
  ): Promise<Response | { state: 'bridge_off' | 'no_answer' }> {
    const id = crypto.randomUUID()
    let timer: ReturnType<typeof setTimeout> | undefined
    const response = new Promise<Response | { state: 'no_answer' }>((resolve) => {
      this.#resolvers.set(id, resolve)
      timer = setTimeout(() => resolve({ state: 'no_answer' }), this.#timeoutMs)
    })
    try {
      return (await send(id)) ? await response : { state: 'bridge_off' }
    } finally {
      clearTimeout(timer)
      this.#resolvers.delete(id)
    }
  }

  /** Resolves the request with its response. Ignores a response that arrives after the timeout. */
  handleResponse(id: string, response: Response): void {
    this.#resolvers.get(id)?.(response)
  }
}
