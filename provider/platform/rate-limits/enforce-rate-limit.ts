import type { KeyedRateLimiter } from '../../../contract/wire/rate-limiter.ts'
import { tooManyRequests } from '../api-error.ts'

/** Takes one of the pace for `who`, or refuses with 429 and when to come back. `now` in ms UTC. */
export function enforceRateLimit(pace: KeyedRateLimiter, key: string, now: number): void {
  const waitMs = pace.consume(key, now)
  if (waitMs > 0) throw tooManyRequests(waitMs)
}
