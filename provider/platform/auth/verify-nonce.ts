import { NONCE_WINDOW_MS } from '../../../contract/wire/constants.ts'

/** Format of a nonce: 13 digits of time (ms UTC), then 4 or 5 random digits. */
const NONCE = /^(\d{13})\d{4,5}$/
/** Tolerated clock skew of an edge that is ahead of the provider. */
const AHEAD_MS = 60_000

/**
 * Returns the time (ms UTC) inside a nonce that is well formed and fresh at `now`, otherwise null. The account's
 * `Guard` checks reuse.
 */
export function nonceTime(nonce: unknown, now: number): number | null {
  const digits = typeof nonce === 'string' ? NONCE.exec(nonce)?.[1] : undefined
  if (digits === undefined) return null
  const time = Number(digits)
  return now - time > NONCE_WINDOW_MS || time - now > AHEAD_MS ? null : time
}
