/** Maximum concurrent connection attempts: each starts a process. */
const TOGETHER = 4
/** Time after which a slow camera no longer blocks the next one, ms. */
const HELD_UP_MS = 2000

interface Place {
  begin: ((leave: () => void) => void) | undefined
  timer?: NodeJS.Timeout
}

/** Limits concurrent connection attempts, so that many cameras on a small computer do not all time out together. */
export class ConnectQueue {
  private readonly together: number
  private readonly heldUpMs: number
  private readonly waiting: Place[] = []
  private readonly open = new Set<Place>()

  constructor(together = TOGETHER, heldUpMs = HELD_UP_MS) {
    this.together = together
    this.heldUpMs = heldUpMs
  }

  /**
   * Calls `begin(leave)` when a slot is free. Also returns a function that works like `leave`: call it on the first
   * frame, when the attempt ends, or to cancel the attempt.
   */
  enter(begin: (leave: () => void) => void): () => void {
    const place: Place = { begin }
    this.waiting.push(place)
    this.next()
    return () => this.leave(place)
  }

  private leave(place: Place): void {
    place.begin = undefined
    clearTimeout(place.timer)
    this.open.delete(place)
    this.next()
  }

  private next(): void {
    while (this.open.size < this.together) {
      const place = this.waiting.shift()
      if (!place) return
      if (!place.begin) continue
      this.open.add(place)
      place.timer = setTimeout(() => this.leave(place), this.heldUpMs).unref()
      place.begin(() => this.leave(place))
    }
  }
}
