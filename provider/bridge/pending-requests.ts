/** How long a bridge may take to answer; one of an older version never does. */
const ANSWER_MS = 8000

/** Questions to a bridge whose answers come as messages of their own. */
export class PendingRequests<Answer extends object> {
  private readonly waiting = new Map<string, (answer: Answer) => void>()
  private readonly patienceMs: number

  constructor(patienceMs = ANSWER_MS) {
    this.patienceMs = patienceMs
  }

  /** `send` puts the question with this id to the bridge, false: it is away. */
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

  /** One that nobody waits for is of no use. */
  answered(id: string, answer: Answer): void {
    this.waiting.get(id)?.(answer)
  }
}
