/** Maximum number of concurrent connection attempts. Each attempt starts an ffmpeg process. */
const MAX_CONCURRENT_ATTEMPTS = 4
/** Time after which a slow camera's attempt no longer occupies a slot, ms. */
const SLOT_TIMEOUT_MS = 2000

interface ConnectAttempt {
  begin: ((leave: () => void) => void) | undefined
  timer?: NodeJS.Timeout
}

/** Limits concurrent connection attempts, so that many cameras on a small computer do not all time out together. */
export class ConnectQueue {
  readonly #maxConcurrent: number
  readonly #slotTimeoutMs: number
  readonly #waiting: ConnectAttempt[] = []
  readonly #activeAttempts = new Set<ConnectAttempt>()

  constructor(maxConcurrent = MAX_CONCURRENT_ATTEMPTS, slotTimeoutMs = SLOT_TIMEOUT_MS) {
    this.#maxConcurrent = maxConcurrent
    this.#slotTimeoutMs = slotTimeoutMs
  }

  /**
   * Calls `begin` when a slot is free. `begin` and the caller get the same function, which releases the slot or removes
   * the waiting attempt. The caller must call this function at the first frame, or when the attempt ends.
   */
  enqueue(begin: (releaseSlot: () => void) => void): () => void {
    const attempt: ConnectAttempt = { begin }
    this.#waiting.push(attempt)
    this.#startNext()
    return () => this.#releaseSlot(attempt)
  }

  #releaseSlot(attempt: ConnectAttempt): void {
    attempt.begin = undefined
    clearTimeout(attempt.timer)
    this.#activeAttempts.delete(attempt)
    this.#startNext()
  }

  #startNext(): void {
    while (this.#activeAttempts.size < this.#maxConcurrent) {
      const attempt = this.#waiting.shift()
      if (!attempt) return
      if (!attempt.begin) continue
      this.#activeAttempts.add(attempt)
      attempt.timer = setTimeout(() => this.#releaseSlot(attempt), this.#slotTimeoutMs).unref()
      attempt.begin(() => this.#releaseSlot(attempt))
    }
  }
}
