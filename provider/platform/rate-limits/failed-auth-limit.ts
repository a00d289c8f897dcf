import type { Context } from 'hono'
import { getClientAddress } from '../../../contract/wire/client-address.ts'
import type { AppEnv } from '../../env.ts'
import { clientNetwork } from './client-network.ts'
import { type ApiError, tooManyRequests } from '../api-error.ts'
import { getObject } from '../objects.ts'

/** Maximum number of failed authentications per client network and time window. Above it, the provider returns 429. */
const FAILED_AUTH_LIMIT = { count: 30, windowMs: 300_000 } as const

/**
 * Counts a failed authentication per `kind` and client network. Returns ms until the next allowed attempt; 0 below the
 * limit. Callers must not limit valid credentials, because users can share a network.
 */
export function recordFailedAuth(
  c: Context<AppEnv>,
  kind: 'bridge' | 'client' | 'operator',
  now: number,
): Promise<number> {
  const counter = getObject(c.env, 'GUARDS', `${kind}:${clientNetwork(getClientAddress(c.req.raw.headers, c.env))}`)
  return counter.countAttempt(kind, FAILED_AUTH_LIMIT.count, FAILED_AUTH_LIMIT.windowMs, now)
}

/**
 * Counts a failed authentication. Returns the error to throw: `authError`, or above the limit a 429 with `Retry-After`.
 */
export async function rejectFailedAuth(
  c: Context<AppEnv>,
  kind: Parameters<typeof recordFailedAuth>[1],
  authError: ApiError,
): Promise<ApiError> {
  const waitMs = await recordFailedAuth(c, kind, Date.now())
  return waitMs > 0 ? tooManyRequests(waitMs) : authError
}
