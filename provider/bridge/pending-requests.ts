/** Response timeout; an older bridge never responds. */
const ANSWER_MS = 8000

/** Requests to a bridge whose responses arrive as separate messages. */
export class PendingRequests<Answer extends object> {
  private readonly waiting = new Map<string, (answer: Answer) => void>()
  private readonly patienceMs: number

  constructor(patienceMs = ANSWER_MS) {
    this.patienceMs = patienceMs
  }

  /**
   * Sends a request and waits for its response. `send` gets the id of the request; it returns false if the bridge is
   * not connected.
   */
  async sendRequest(
    send: (id: string) => boolean | Promise<boolean>,
  ): Promise<Answer | { state: 'bridge_off' | 'no_answer' }> {
    const id = crypto.randomUUID()
    let timer: ReturnType<typeof setTimeout> | undefined
    const answer = new Promise<Answer | { state: 'no_answer' }>((resolve) => {
      this.waiting.set(id, resolve)
      timer = setTimeout(() => resolve({ state: 'no_answer' }), this.patienceMs)
    })
    try {
      return (await send(id)) ? await answer : { state: 'bridge_off' }
    } finally {
      clearTimeout(timer)
      this.waiting.delete(id)
    }
  }

  /** Ignores a response that arrives after the timeout. */
  answered(id: string, answer: Answer): void {
    this.waiting.get(id)?.(answer)
  }
}
