import type { KeyedRateLimiter } from '../../../contract/wire/rate-limiter.ts'
import { tooManyRequests } from '../api-error.ts'

/** Consumes one request of the rate limit. Throws a 429 with the retry delay if it is exceeded. `now` in ms UTC. */
export function enforceRateLimit(pace: KeyedRateLimiter, key: string, now: number): void {
  const waitMs = pace.consume(key, now)
  if (waitMs > 0) throw tooManyRequests(waitMs)
}
