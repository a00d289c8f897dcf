/**
 * Retry delays, ms. `next` returns `firstDelayMs` at first and after `reset`, and then doubles the delay up to
 * `maxDelayMs`.
 */
export class Backoff {
  readonly #firstDelayMs: number
  readonly #maxDelayMs: number
  #nextMs: number

  constructor(firstDelayMs: number, maxDelayMs: number) {
    this.#firstDelayMs = firstDelayMs
    this.#maxDelayMs = maxDelayMs
    this.#nextMs = firstDelayMs
  }

  next(): number {
    const nextMs = this.#nextMs
    this.#nextMs = Math.min(this.#maxDelayMs, nextMs * 2)
    return nextMs
  }

  reset(): void {
    this.#nextMs = this.#firstDelayMs
  }
}
