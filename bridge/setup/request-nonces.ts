import { randomBytes } from 'node:crypto'

/** Lifetime of a nonce: a page seals its request immediately; a later one needs a new nonce. */
const GOOD_MS = 120_000
const KEPT_MAX = 64

/** Unused nonces issued to pages, in memory only: requests sealed before a restart cannot be opened after it. */
export class Nonces {
  private readonly until = new Map<string, number>()
  private readonly now: () => number

  /** `now`: returns the time of a monotonic clock, ms. */
  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  make(): string {
    for (const [nonce, until] of this.until) if (until <= this.now()) this.until.delete(nonce)
    const oldest = this.until.keys().next()
    if (this.until.size >= KEPT_MAX && !oldest.done) this.until.delete(oldest.value)
    const nonce = randomBytes(16).toString('base64url')
    this.until.set(nonce, this.now() + GOOD_MS)
    return nonce
  }

  /** Consumes a nonce. Returns true if it was valid. */
  use(nonce: string): boolean {
    const until = this.until.get(nonce) ?? 0
    this.until.delete(nonce)
    return until > this.now()
  }
}
