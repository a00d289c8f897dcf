import type { KeyedRateLimiter } from '../../../contract/wire/rate-limiter.ts'
import { tooManyRequests } from '../api-error.ts'

/**
 * Counts one request against the rate limit. Throws a 429 with the retry delay if the limit is exceeded. `now`: ms UTC.
 */
export function enforceRateLimit(limiter: KeyedRateLimiter, key: string, now: number): void {
  const waitMs = limiter.consume(key, now)
  if (waitMs > 0) throw tooManyRequests(waitMs)
}
