/** Default response timeout. An older bridge does not respond to a request that it does not support. */
const RESPONSE_TIMEOUT_MS = 8000

/** Requests to a bridge, matched by id to responses that arrive as separate messages. */
export class PendingRequests<Answer extends object> {
  readonly #resolvers = new Map<string, (answer: Answer) => void>()
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
  ): Promise<Answer | { state: 'bridge_off' | 'no_answer' }> {
    const id = crypto.randomUUID()
    let timer: ReturnType<typeof setTimeout> | undefined
    const answer = new Promise<Answer | { state: 'no_answer' }>((resolve) => {
      this.#resolvers.set(id, resolve)
      timer = setTimeout(() => resolve({ state: 'no_answer' }), this.#timeoutMs)
    })
    try {
      return (await send(id)) ? await answer : { state: 'bridge_off' }
    } finally {
      clearTimeout(timer)
      this.#resolvers.delete(id)
    }
  }

  /** Resolves the request with its response. Ignores a response that arrives after the timeout. */
  handleResponse(id: string, answer: Answer): void {
    this.#resolvers.get(id)?.(answer)
  }
}
