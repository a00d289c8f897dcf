import { randomBytes } from 'node:crypto'

/** A page is asked for its box at once: whoever comes later has to knock again. */
const GOOD_MS = 120_000
const KEPT_MAX = 64

/** Nonces that were given to pages and not used yet, in memory only: what was sealed before a restart does not open after it. */
export class Nonces {
  private readonly until = new Map<string, number>()
  private readonly now: () => number

  /** `now` in ms of any clock that does not go back. */
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

  /** Whether the nonce was good; it is used up. */
  use(nonce: string): boolean {
    const until = this.until.get(nonce) ?? 0
    this.until.delete(nonce)
    return until > this.now()
  }
}
