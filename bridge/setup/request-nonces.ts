import { randomBytes } from 'node:crypto'

/** Lifetime of a nonce. A page uses a nonce immediately, so a short lifetime is enough. */
const NONCE_LIFETIME_MS = 120_000
const MAX_NONCES = 64

/** Unused nonces that were issued to pages. In memory only, so a restart invalidates all sealed requests. */
export class RequestNonces {
  readonly #expiryTimes = new Map<string, number>()
  readonly #now: () => number

  /** `now`: returns the time of a monotonic clock, ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  create(): string {
    for (const [nonce, expiryTimes] of this.#expiryTimes)
      if (expiryTimes <= this.#now()) this.#expiryTimes.delete(nonce)
    const oldest = this.#expiryTimes.keys().next()
    if (this.#expiryTimes.size >= MAX_NONCES && !oldest.done) this.#expiryTimes.delete(oldest.value)
    const nonce = randomBytes(16).toString('base64url')
    this.#expiryTimes.set(nonce, this.#now() + NONCE_LIFETIME_MS)
    return nonce
  }

  /** Invalidates a nonce, because it is single-use. Returns true if the nonce was valid. */
  consume(nonce: string): boolean {
    const expiryTimes = this.#expiryTimes.get(nonce) ?? 0
    this.#expiryTimes.delete(nonce)
    return expiryTimes > this.#now()
  }
}
