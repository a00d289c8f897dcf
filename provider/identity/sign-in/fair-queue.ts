export interface FairQueueEntry {
  readonly place: string
  /**
   * Turn count of the queue at the latest turn of this client network, or at the arrival of this request if the network
   * has had no turn yet.
   */
  readonly since: number
  /** True for a browser that signed in before. Such requests run first and may enter a full queue. */
  readonly isKnown: boolean
  /** Time of the last poll, ms UTC. A disconnected client stops polling. */
  seenAt: number
}

/** Number of waiting requests above which the queue pauses between turns. */
const MIN_QUEUE_LENGTH_FOR_PAUSE = 12
const MAX_WAITING = 60
const MAX_WAITING_PER_NETWORK = 12
const PAUSE_MS = 2500
/** Poll interval of the first entry in the queue. */
const POLL_INTERVAL_MS = 50
/** Time without a poll after which a request counts as disconnected. */
const DISCONNECT_TIMEOUT_MS = 5000

/**
 * Queue for work that blocks the thread, such as password checks. Runs one entry at a time, rotates between client
 * networks, and pauses under load. A known browser counts as a separate network. Requests poll, because Worker requests
 * cannot wake each other.
 */
export class FairQueue {
  #waiting: FairQueueEntry[] = []
  #running: FairQueueEntry | null = null
  /** For each client network, the number of turns that the queue had run at the network's latest turn. */
  readonly #lastTurnByNetwork = new Map<string, number>()
  #turnCount = 0
  #pauseEndsAt = 0

  /**
   * Adds a request to the queue. Returns null if the queue is full and the browser is not known, or if
   * `MAX_WAITING_PER_NETWORK` requests of the network are already waiting. `now` is ms UTC in all methods.
   */
  enter(clientKey: string, now: number, isKnown = false): FairQueueEntry | null {
    this.#removeDisconnected(now)
    if (!isKnown && this.#waiting.length >= MAX_WAITING) return null
    if (this.#waiting.filter((turn) => turn.place === clientKey).length >= MAX_WAITING_PER_NETWORK) return null
    const entry = {
      place: clientKey,
      isKnown,
      since: this.#lastTurnByNetwork.get(clientKey) ?? this.#turnCount,
      seenAt: now,
    }
    this.#waiting.push(entry)
    return entry
  }

  /**
   * Returns true if the entry may run now. The entry then blocks all other entries until `finish`, but at most for
   * `DISCONNECT_TIMEOUT_MS`.
   */
  tryStart(entry: FairQueueEntry, now: number): boolean {
    entry.seenAt = now
    this.#removeDisconnected(now)
    // Add the entry again if it was removed. Blocking work can delay the polls of a connected client.
    if (!this.#waiting.includes(entry)) this.#waiting.push(entry)
    if (this.#running || now < this.#pauseEndsAt || this.#findNext() !== entry) return false
    this.#waiting = this.#waiting.filter((other) => other !== entry)
    this.#running = entry
    this.#lastTurnByNetwork.set(entry.place, ++this.#turnCount)
    return true
  }

  /**
   * Returns the delay until the next poll, ms. Requests far back in the queue poll less often, because each poll costs
   * time.
   */
  getRetryDelayMs(entry: FairQueueEntry): number {
    const ahead = this.#waiting.filter((other) => this.#rank(other) < this.#rank(entry)).length
    return Math.min(DISCONNECT_TIMEOUT_MS / 3, POLL_INTERVAL_MS * (1 + ahead))
  }

  /**
   * Ends a turn. `crowded`: true if sign-in is overloaded, so the queue pauses. `idle`: true if the turn ran no
   * expensive work, so the queue does not pause.
   */
  finish(entry: FairQueueEntry, now: number, { crowded = false, idle = false } = {}): void {
    if (this.#running === entry) this.#running = null
    this.#pauseEndsAt = !idle && (crowded || this.#waiting.length > MIN_QUEUE_LENGTH_FOR_PAUSE) ? now + PAUSE_MS : 0
    if (this.#waiting.length === 0) this.#lastTurnByNetwork.clear()
  }

  /**
   * Returns the next entry: known browsers first, then the network that was served longest ago, then the oldest entry.
   */
  #findNext(): FairQueueEntry | undefined {
    return this.#waiting.reduce<FairQueueEntry | undefined>(
      (first, candidate) => (first === undefined || this.#rank(candidate) < this.#rank(first) ? candidate : first),
      undefined,
    )
  }

  /**
   * Returns the rank of an entry; the lowest rank runs first. A new network ranks as if it had just had a turn, so that
   * many new networks do not starve others.
   */
  #rank({ place, isKnown, since }: FairQueueEntry): number {
    return (this.#lastTurnByNetwork.get(place) ?? since) - (isKnown ? this.#turnCount + 1 : 0)
  }

  #removeDisconnected(now: number): void {
    const isConnected = ({ seenAt }: FairQueueEntry) => now - seenAt < DISCONNECT_TIMEOUT_MS
    this.#waiting = this.#waiting.filter(isConnected)
    if (this.#running && !isConnected(this.#running)) this.#running = null
  }
}
