import type { MiddlewareHandler } from 'hono'
import { ERROR_CATALOGUE } from '../../contract/error-codes.ts'
import { Refusal } from './answers.ts'
import type { EdgeContext, EdgeEnv } from './context.ts'
import { countIn } from './counter.ts'

/** What the Workers rate-limit binding can do. */
export interface RateLimiter {
  limit(options: { key: string }): Promise<{ success: boolean }>
}

/** Period of all limits: after it, the next request is taken in any case. */
const PERIOD_S = 60
/**
 * Requests that one address may make in a period, by binding; wrangler.toml says the same. A household behind one address
 * scrolls through pictures on several screens, so the broad ones are wide: they are there for machines.
 */
export const LIMITS = { SIGN_INS: 120, REQUESTS: 6000, PICTURES: 12_000, REPORTS: 60 } as const
type Limit = keyof typeof LIMITS

/** Refuses with 429 when this visitor's address has started too many sign-ins of late (security: Decisions 9). */
export const limitSignIns = (c: EdgeContext): Promise<void> => limit(c, 'SIGN_INS')

/** Stands before a group of routes and counts what one address asks of them. */
export function limited(name: Limit): MiddlewareHandler<EdgeEnv> {
  return async (c, next) => {
    await limit(c, name)
    await next()
  }
}

/** Where the platform has no such binding, each isolate counts for itself. */
async function limit(c: EdgeContext, name: Limit): Promise<void> {
  const key = c.req.header('cf-connecting-ip') ?? 'unknown'
  const binding = c.env[name] as RateLimiter | undefined
  const success = binding
    ? (await binding.limit({ key })).success
    : countIn(`${name} ${key}`, LIMITS[name], PERIOD_S * 1000, Date.now())
  if (success) return
  c.header('retry-after', String(PERIOD_S))
  throw new Refusal(429, ERROR_CATALOGUE['429'].text)
}
