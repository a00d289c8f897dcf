import type { MiddlewareHandler } from 'hono'
import { RATE_LIMITS, RATE_PERIOD_S, type RateLimit } from '../../../contract/wire/edge-rate-limits.ts'
import { visitorAddress } from '../../../contract/wire/client-address.ts'
import { tooOften } from '../edge-error.ts'
import type { EdgeContext, EdgeEnv } from '../edge-context.ts'
import { countIn } from './counter.ts'

/** What the Workers rate-limit binding can do. */
export interface RateLimiter {
  limit(options: { key: string }): Promise<{ success: boolean }>
}

/** Refuses with 429 when this visitor's address has started too many sign-ins of late. */
export const limitSignIns = (c: EdgeContext): Promise<void> => limit(c, 'SIGN_INS')

/** Stands before a group of routes and counts what one address asks of them. */
export function limited(name: RateLimit): MiddlewareHandler<EdgeEnv> {
  return async (c, next) => {
    await limit(c, name)
    await next()
  }
}

/** Where the platform has no such binding, each isolate counts for itself; at home there is one. */
async function limit(c: EdgeContext, name: RateLimit): Promise<void> {
  const key = visitorAddress(c.req.raw.headers, c.var.settings)
  const binding = c.env[name] as RateLimiter | undefined
  const success = binding
    ? (await binding.limit({ key })).success
    : countIn(`${name} ${key}`, RATE_LIMITS[name], RATE_PERIOD_S * 1000, Date.now())
  if (success) return
  throw tooOften(c, RATE_PERIOD_S)
}
