import { NONCE_WINDOW_MS } from '../../../contract/wire/constants.ts'

/** Format of a nonce: 13 digits of time (ms UTC), then 4 or 5 random digits. */
const NONCE_PATTERN = /^(\d{13})\d{4,5}$/
/** Maximum time by which the clock of an edge server may be ahead of the provider's clock. */
const MAX_CLOCK_SKEW_MS = 60_000

/**
 * Returns the time (ms UTC) in a nonce. Returns null if the nonce is malformed, too old or too far in the future. The
 * `Guard` object of the account rejects reused nonces.
 */
export function parseNonceTime(nonce: unknown, now: number): number | null {
  const digits = typeof nonce === 'string' ? NONCE_PATTERN.exec(nonce)?.[1] : undefined
  if (digits === undefined) return null
  const time = Number(digits)
  return now - time > NONCE_WINDOW_MS || time - now > MAX_CLOCK_SKEW_MS ? null : time
}
