/** Queued request that waits for its turn. */
export interface FairQueueEntry {
  readonly place: string
  /**
   * Number of turns that had been served when the client network of this request last had a turn, or else when the
   * request arrived.
   */
  readonly since: number
  /** Known browsers go first and may enter a full queue. */
  readonly isKnown: boolean
  /** Time of the last poll, ms UTC: a client that disconnects stops polling. */
  seenAt: number
}

/** Queue length above which the queue pauses between turns. */
const CROWD = 12
const WAITING_MAX = 60
/** Maximum number of waiting requests per client network. */
const WAITING_EACH = 12
const PAUSE_MS = 2500
/** Poll interval of the next in line. */
const ASK_MS = 50
/** Time without a poll after which a request counts as disconnected. */
const GONE_MS = 5000

/**
 * Queue for work that blocks the thread, such as password checks: one at a time, networks in rotation, so that many
 * guesses from one network block no other. Under load it pauses after each turn for other work. In memory; requests
 * poll, because Worker requests cannot wake each other.
 */
export class FairQueue {
  #waiting: FairQueueEntry[] = []
  #running: FairQueueEntry | null = null
  /** For each client network: number of turns that had been served in total when the network last had a turn. */
  readonly #served = new Map<string, number>()
  #count = 0
  #pauseEnds = 0

  /** Enters the queue; null if it is full. `now` in ms UTC, as in all methods. */
  enter(place: string, now: number, isKnown = false): FairQueueEntry | null {
    this.#forgetGone(now)
    if (!isKnown && this.#waiting.length >= WAITING_MAX) return null
    if (this.#waiting.filter((turn) => turn.place === place).length >= WAITING_EACH) return null
    const turn = { place, isKnown, since: this.#served.get(place) ?? this.#count, seenAt: now }
    this.#waiting.push(turn)
    return turn
  }

  /** Returns true if the turn may run now; it then runs until `done`. */
  tryStart(turn: FairQueueEntry, now: number): boolean {
    turn.seenAt = now
    this.#forgetGone(now)
    // Restores a turn that missed its polls because other work blocked the thread.
    if (!this.#waiting.includes(turn)) this.#waiting.push(turn)
    if (this.#running || now < this.#pauseEnds || this.#next() !== turn) return false
    this.#waiting = this.#waiting.filter((other) => other !== turn)
    this.#running = turn
    this.#served.set(turn.place, ++this.#count)
    return true
  }

  /**
   * Returns the delay until the next poll, ms. Requests far back in the queue poll rarely, because each poll has a
   * cost.
   */
  getRetryDelayMs(turn: FairQueueEntry): number {
    const ahead = this.#waiting.filter((other) => this.#rank(other) < this.#rank(turn)).length
    return Math.min(GONE_MS / 3, ASK_MS * (1 + ahead))
  }

  /**
   * Ends a turn. `crowded`: the sign-in is overloaded, so pause; `idle`: the turn ran nothing expensive, so do not
   * pause.
   */
  done(turn: FairQueueEntry, now: number, { crowded = false, idle = false } = {}): void {
    if (this.#running === turn) this.#running = null
    this.#pauseEnds = !idle && (crowded || this.#waiting.length > CROWD) ? now + PAUSE_MS : 0
    if (this.#waiting.length === 0) this.#served.clear()
  }

  /** Returns the next turn: known browsers first, then the network served longest ago, then the longest wait. */
  #next(): FairQueueEntry | undefined {
    return this.#waiting.reduce<FairQueueEntry | undefined>(
      (first, candidate) => (first === undefined || this.#rank(candidate) < this.#rank(first) ? candidate : first),
      undefined,
    )
  }

  /**
   * Returns the rank of a request; the lowest goes first. A client network without earlier turns ranks as if it had
   * just been served, so that many new networks do not starve others.
   */
  #rank({ place, isKnown, since }: FairQueueEntry): number {
    return (this.#served.get(place) ?? since) - (isKnown ? this.#count + 1 : 0)
  }

  #forgetGone(now: number): void {
    const isThere = ({ seenAt }: FairQueueEntry) => now - seenAt < GONE_MS
    this.#waiting = this.#waiting.filter(isThere)
    if (this.#running && !isThere(this.#running)) this.#running = null
  }
}
