import { ANSWERS_WAIT_MS } from '../../contract/cameras/camera-setup.ts'

/** Asks of one bridge at once; of one account. */
const OPEN_MAX = 8
const OPEN_EACH = 5
/** A bridge that does not end its answers is given up. */
const OPEN_MS = 60_000
/** So long the answers can be read after the last. */
const KEPT_MS = 60_000
/** Answers to one ask, and their characters altogether. */
const BOXES_MAX = 60
const CHARACTERS_MAX = 300_000

interface Ask {
  readonly userId: string
  readonly boxes: string[]
  characters: number
  over: boolean
  /** When it is forgotten, ms UTC. */
  until: number
  /** Called with each change. */
  wake: () => void
}

export interface Answers {
  readonly boxes: string[]
  readonly over: boolean
}

/** Boxes of pages on their way to a bridge, and its answers on theirs. In memory only: none of them can be opened here, and none is kept. */
export class SealedRequests {
  private readonly asks = new Map<string, Ask>()

  /** The id of a new ask; null: there are too many. `now` in ms UTC, as everywhere here. */
  create(userId: string, now: number): string | null {
    for (const [id, ask] of this.asks) if (ask.until <= now) this.asks.delete(id)
    const open = [...this.asks.values()].filter((ask) => !ask.over)
    if (open.length >= OPEN_MAX || open.filter((ask) => ask.userId === userId).length >= OPEN_EACH) return null
    const id = crypto.randomUUID()
    this.asks.set(id, { userId, boxes: [], characters: 0, over: false, until: now + OPEN_MS, wake: () => undefined })
    return id
  }

  /** It could not be put to the bridge. */
  drop(id: string): void {
    this.asks.delete(id)
  }

  /** A bridge that says more than fits is cut short. */
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

  /** The answers from the `after`th on, as soon as there is one; null: this account has not asked that. */
  async read(userId: string, id: string, after: number): Promise<Answers | null> {
    const ask = this.asks.get(id)
    if (ask?.userId !== userId) return null
    if (ask.boxes.length <= after && !ask.over) await this.change(ask)
    return { boxes: ask.boxes.slice(after), over: ask.over }
  }

  private async change(ask: Ask): Promise<void> {
    // Whoever asked before is answered too: a page that asks again has lost that answer.
    ask.wake()
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>((resolve) => {
      ask.wake = resolve
      timer = setTimeout(resolve, ANSWERS_WAIT_MS)
    })
    clearTimeout(timer)
  }
}
