/** So many connections are opened together: each is a process that starts. */
const TOGETHER = 4
/** A camera that is slow holds up the next for so long, ms. */
const HELD_UP_MS = 2000

interface Place {
  begin: ((leave: () => void) => void) | undefined
  timer?: NodeJS.Timeout
}

/** The order in which connections begin, so that many cameras on a small computer do not all miss their time at once. */
export class ConnectQueue {
  private readonly together: number
  private readonly heldUpMs: number
  private readonly waiting: Place[] = []
  private readonly open = new Set<Place>()

  constructor(together = TOGETHER, heldUpMs = HELD_UP_MS) {
    this.together = together
    this.heldUpMs = heldUpMs
  }

  /** Calls `begin` when it is its turn. It gets, and this answers, what to call when it has a picture, has ended, or is not wanted. */
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
