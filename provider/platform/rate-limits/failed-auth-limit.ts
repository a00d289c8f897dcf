import type { Context } from 'hono'
import { visitorAddress } from '../../../contract/wire/client-address.ts'
import type { AppEnv } from '../../env.ts'
import { clientNetwork } from './client-network.ts'
import { type ApiError, tooManyRequests } from '../api-error.ts'

/** Number of failed authentications per client network and time window before the provider returns 429. */
const LIMIT = { count: 30, windowMs: 300_000 } as const

/**
 * Counts a failed authentication of this `kind` for the client network. Returns milliseconds until the next attempt, or
 * 0 below the limit. Valid credentials are never limited, even from a network that others share.
 */
export function recordFailedAuth(
  c: Context<AppEnv>,
  kind: 'bridge' | 'client' | 'operator',
  now: number,
): Promise<number> {
  const counter = c.env.GUARDS.getByName(`${kind}:${clientNetwork(visitorAddress(c.req.raw.headers, c.env))}`)
  return counter.attempt(kind, LIMIT.count, LIMIT.windowMs, now)
}

/** Counts a failed authentication. Returns `refusal`, or a 429 with `Retry-After` once the limit is exceeded. */
export async function rejectFailedAuth(
  c: Context<AppEnv>,
  kind: Parameters<typeof recordFailedAuth>[1],
  refusal: ApiError,
): Promise<ApiError> {
  const waitMs = await recordFailedAuth(c, kind, Date.now())
  return waitMs > 0 ? tooManyRequests(waitMs) : refusal
}
