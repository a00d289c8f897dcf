/** Somebody who waits for their turn. */
export interface Turn {
  readonly place: string
  /** How many had been served when it came, or when one of its place was served last before that. */
  readonly since: number
  /** Goes before those who are not, and finds room where they do not. */
  readonly isKnown: boolean
  /** When it last asked, ms UTC: who has gone away asks no more. */
  seenAt: number
}

/** As many may wait before the ones at work pause in between. */
const CROWD = 12
const WAITING_MAX = 60
/** Of one place. */
const WAITING_EACH = 12
const PAUSE_MS = 2500
/** How often the next one asks. */
const ASK_MS = 50
/** Whoever has not asked for so long has gone away. */
const GONE_MS = 5000

/**
 * Who may do next what keeps the thread busy for long, such as checking a password: one at a time, each place in turn, so that
 * many guesses from one hold up nobody elsewhere; in a crowd with a pause after each, in which everything else goes on. Kept
 * in memory; those who wait ask again and again, since requests of a Worker cannot wake each other.
 */
export class FairQueue {
  #waiting: Turn[] = []
  #running: Turn | null = null
  /** How many had been served when this place was last. */
  readonly #served = new Map<string, number>()
  #count = 0
  #pauseEnds = 0

  /** A turn for somebody of this place; null when too many wait already. `now` in ms UTC, as everywhere here. */
  enter(place: string, now: number, isKnown = false): Turn | null {
    this.#forgetGone(now)
    if (!isKnown && this.#waiting.length >= WAITING_MAX) return null
    if (this.#waiting.filter((turn) => turn.place === place).length >= WAITING_EACH) return null
    const turn = { place, isKnown, since: this.#served.get(place) ?? this.#count, seenAt: now }
    this.#waiting.push(turn)
    return turn
  }

  /** Whether it is this one's turn; if so it is at work until `done`. */
  tryStart(turn: Turn, now: number): boolean {
    turn.seenAt = now
    this.#forgetGone(now)
    // Taken for gone while nobody could ask, since something else kept the thread.
    if (!this.#waiting.includes(turn)) this.#waiting.push(turn)
    if (this.#running || now < this.#pauseEnds || this.#next() !== turn) return false
    this.#waiting = this.#waiting.filter((other) => other !== turn)
    this.#running = turn
    this.#served.set(turn.place, ++this.#count)
    return true
  }

  /** After how long it is worth asking again, ms: those far behind ask seldom, since each question costs a little. */
  getRetryDelayMs(turn: Turn): number {
    const ahead = this.#waiting.filter((other) => this.#rank(other) < this.#rank(turn)).length
    return Math.min(GONE_MS / 3, ASK_MS * (1 + ahead))
  }

  /** `crowded`: many more come than are let in. `idle`: the turn was not used for anything dear. */
  done(turn: Turn, now: number, { crowded = false, idle = false } = {}): void {
    if (this.#running === turn) this.#running = null
    this.#pauseEnds = !idle && (crowded || this.#waiting.length > CROWD) ? now + PAUSE_MS : 0
    if (this.#waiting.length === 0) this.#served.clear()
  }

  /** Of the places that wait, known ones first, the one that was served longest ago; of it the one that has waited longest. */
  #next(): Turn | undefined {
    return this.#waiting.reduce<Turn | undefined>(
      (first, candidate) => (first === undefined || this.#rank(candidate) < this.#rank(first) ? candidate : first),
      undefined,
    )
  }

  /** A place that comes anew stands where one stands that was served just now: many new ones keep nobody waiting for ever. */
  #rank({ place, isKnown, since }: Turn): number {
    return (this.#served.get(place) ?? since) - (isKnown ? this.#count + 1 : 0)
  }

  #forgetGone(now: number): void {
    const isThere = ({ seenAt }: Turn) => now - seenAt < GONE_MS
    this.#waiting = this.#waiting.filter(isThere)
    if (this.#running && !isThere(this.#running)) this.#running = null
  }
}
