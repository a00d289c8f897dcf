import type { MiddlewareHandler } from 'hono'
import { RATE_LIMITS, RATE_PERIOD_S, type RateLimitName } from '../../../contract/wire/edge-rate-limits.ts'
import { getClientAddress } from '../../../contract/wire/client-address.ts'
import { createRateLimitError } from '../edge-error.ts'
import type { EdgeContext, EdgeEnv } from '../edge-context.ts'

/** Number of windows in memory at which the next attempt runs `discardExpired`. */
const KEYS_MAX = 10_000

interface CountWindow {
  count: number
  /** ms UTC */
  readonly until: number
}

const countWindows = new Map<string, CountWindow>()

/**
 * Counts one attempt for `key`, in a window of `windowMs` that starts with the first attempt. Returns true if the
 * window has at most `max` attempts so far. `now` in ms UTC.
 */
export function countAttempt(key: string, max: number, windowMs: number, now: number): boolean {
  if (countWindows.size >= KEYS_MAX) discardExpired(now)
  const existing = countWindows.get(key)
  const window = existing && existing.until > now ? existing : { count: 0, until: now + windowMs }
  window.count += 1
  countWindows.set(key, window)
  return window.count <= max
}

/** Deletes expired windows. If none has expired, deletes all windows, so that many keys cannot fill the memory. */
function discardExpired(now: number): void {
  for (const [key, { until }] of countWindows) if (until <= now) countWindows.delete(key)
  if (countWindows.size >= KEYS_MAX) countWindows.clear()
}

export interface RateLimiter {
  limit(options: { key: string }): Promise<{ success: boolean }>
}

/** Rejects with 429 if the client's address has recently started too many sign-ins. */
export const limitSignIns = (c: EdgeContext): Promise<void> => enforceRateLimit(c, 'SIGN_INS')

/** Returns middleware that limits the request rate of each client address on a group of routes. */
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
