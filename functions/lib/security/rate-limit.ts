import type { MiddlewareHandler } from 'hono'
import { RATE_LIMITS, RATE_PERIOD_S, type RateLimitName } from '../../../contract/wire/edge-rate-limits.ts'
import { getClientAddress } from '../../../contract/wire/client-address.ts'
import { createRateLimitError } from '../edge-error.ts'
import type { EdgeContext, EdgeEnv } from '../edge-context.ts'
import { countAttempt } from './counter.ts'

export interface RateLimiter {
  limit(options: { key: string }): Promise<{ success: boolean }>
}

/** Rejects with 429 if the client's address has recently started too many sign-ins. */
export const limitSignIns = (c: EdgeContext): Promise<void> => enforceRateLimit(c, 'SIGN_INS')

/** Limits the request rate of one client address on a group of routes. */
export function limitRequests(name: RateLimitName): MiddlewareHandler<EdgeEnv> {
  return async (c, next) => {
    await enforceRateLimit(c, name)
    await next()
  }
}

/**
 * Throws a 429 error if the client address exceeds the limit. Without the platform's binding, each isolate counts
 * separately; a local deployment has only one isolate.
 */
async function enforceRateLimit(c: EdgeContext, name: RateLimitName): Promise<void> {
  const key = getClientAddress(c.req.raw.headers, c.var.settings)
  const binding = c.env[name] as RateLimiter | undefined
  const success = binding
    ? (await binding.limit({ key })).success
    : countAttempt(`${name} ${key}`, RATE_LIMITS[name], RATE_PERIOD_S * 1000, Date.now())
  if (success) return
  throw createRateLimitError(c, RATE_PERIOD_S)
}
