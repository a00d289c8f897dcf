import type { MiddlewareHandler } from 'hono'
import { ERROR_CATALOGUE } from '../../contract/error-codes.ts'
import { RATE_LIMITS, RATE_PERIOD_S, type RateLimit } from '../../contract/rate-limits.ts'
import { EdgeRefusal } from './answers.ts'
import type { EdgeContext, EdgeEnv } from './context.ts'
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
  const key = c.req.header('cf-connecting-ip') ?? 'unknown'
  const binding = c.env[name] as RateLimiter | undefined
  const success = binding
    ? (await binding.limit({ key })).success
    : countIn(`${name} ${key}`, RATE_LIMITS[name], RATE_PERIOD_S * 1000, Date.now())
  if (success) return
  c.header('retry-after', String(RATE_PERIOD_S))
  throw new EdgeRefusal(429, ERROR_CATALOGUE['429'].text)
}
