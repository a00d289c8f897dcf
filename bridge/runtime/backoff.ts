/**
 * Retry delays, ms. The delay starts at `firstDelayMs`, also after `reset`, and doubles up to `maxDelayMs`. `next`
 * shortens it by a random part of up to half, so that bridges don't retry at the same moment after an outage.
 */
export class Backoff {
  readonly #firstDelayMs: number
  readonly #maxDelayMs: number
  readonly #random: () => number
  #nextMs: number

  /** `random`: returns a number from 0 to 1. */
  constructor(firstDelayMs: number, maxDelayMs: number, random: () => number = Math.random) {
    this.#firstDelayMs = firstDelayMs
    this.#maxDelayMs = maxDelayMs
    this.#random = random
    this.#nextMs = firstDelayMs
  }

  next(): number {
    const nextMs = this.#nextMs
    this.#nextMs = Math.min(this.#maxDelayMs, nextMs * 2)
    return Math.round((nextMs * (1 + this.#random())) / 2)
  }

  reset(): void {
    this.#nextMs = this.#firstDelayMs
  }
}
