/** Retry delays, ms. `next` returns `firstMs` at first and after `reset`, and then doubles the delay up to `max`. */
export class BackOff {
  readonly #firstMs: number
  readonly #maxMs: number
  #nextMs: number

  constructor(firstMs: number, max: number) {
    this.#firstMs = firstMs
    this.#maxMs = max
    this.#nextMs = firstMs
  }

  next(): number {
    const nextMs = this.#nextMs
    this.#nextMs = Math.min(this.#maxMs, nextMs * 2)
    return nextMs
  }

  reset(): void {
    this.#nextMs = this.#firstMs
  }
}
