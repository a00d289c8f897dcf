import { ANSWERS_WAIT_MS } from '../../contract/cameras/camera-setup.ts'

/** Maximum open requests of one bridge, and of one account. */
const OPEN_MAX = 8
const OPEN_EACH = 5
/** Time after which a request expires if the bridge does not finish its responses. */
const OPEN_MS = 60_000
/** Time for which the responses are kept after the last one. */
const KEPT_MS = 60_000
/** Maximum responses to one request, and their total characters. */
const BOXES_MAX = 60
const CHARACTERS_MAX = 300_000

interface Ask {
  readonly userId: string
  readonly boxes: string[]
  characters: number
  over: boolean
  /** Expiry, ms UTC. */
  until: number
  wake: () => void
}

export interface Answers {
  readonly boxes: string[]
  readonly over: boolean
}

/**
 * Sealed requests from pages to a bridge, and its sealed responses. Both are in memory only: the provider cannot open
 * them and stores none.
 */
export class SealedRequests {
  private readonly asks = new Map<string, Ask>()

  /** Returns the id of a new request; null if there are too many. `now` in ms UTC, as everywhere here. */
  create(userId: string, now: number): string | null {
    for (const [id, ask] of this.asks) if (ask.until <= now) this.asks.delete(id)
    const open = [...this.asks.values()].filter((ask) => !ask.over)
    if (open.length >= OPEN_MAX || open.filter((ask) => ask.userId === userId).length >= OPEN_EACH) return null
    const id = crypto.randomUUID()
    this.asks.set(id, { userId, boxes: [], characters: 0, over: false, until: now + OPEN_MS, wake: () => undefined })
    return id
  }

  drop(id: string): void {
    this.asks.delete(id)
  }

  /** Adds a response to its request. Ends the request if the responses exceed the maximum number or length. */
  answered(id: string, box: string, over: boolean, now: number): void {
    const ask = this.asks.get(id)
    if (!ask || ask.over) return
    ask.characters += box.length
    const fits = ask.boxes.length < BOXES_MAX && ask.characters <= CHARACTERS_MAX
    if (fits) ask.boxes.push(box)
    ask.over = over || !fits
    if (ask.over) ask.until = now + KEPT_MS
    ask.wake()
  }

  /**
   * Returns the responses after the first `after`, and waits until there is at least one. Returns null if the account
   * has no such request.
   */
  async read(userId: string, id: string, after: number): Promise<Answers | null> {
    const ask = this.asks.get(id)
    if (ask?.userId !== userId) return null
    if (ask.boxes.length <= after && !ask.over) await this.change(ask)
    return { boxes: ask.boxes.slice(after), over: ask.over }
  }

  private async change(ask: Ask): Promise<void> {
    // Also ends a previous read: a page that reads again did not get the response to that read.
    ask.wake()
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>((resolve) => {
      ask.wake = resolve
      timer = setTimeout(resolve, ANSWERS_WAIT_MS)
    })
    clearTimeout(timer)
  }
}
