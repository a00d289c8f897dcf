import type { Context } from 'hono'
import { visitorAddress } from '../../../contract/wire/client-address.ts'
import type { AppEnv } from '../../env.ts'
import { clientNetwork } from './client-network.ts'
import { type ApiError, tooManyRequests } from '../api-error.ts'

/** Wrong keys, secrets or signatures that one origin may show before it is told to wait. */
const LIMIT = { count: 30, windowMs: 300_000 } as const

/**
 * Counts that the origin of the request has shown something wrong of this `kind`, and answers for how many milliseconds it
 * has done so too often, else 0. Only what is wrong is counted and refused: whoever shows the right key is let in, also
 * from an address that somebody else shares.
 */
export function recordFailedAuth(
  c: Context<AppEnv>,
  kind: 'bridge' | 'client' | 'operator',
  now: number,
): Promise<number> {
  const counter = c.env.GUARDS.getByName(`${kind}:${clientNetwork(visitorAddress(c.req.raw.headers, c.env))}`)
  return counter.attempt(kind, LIMIT.count, LIMIT.windowMs, now)
}

/** The refusal of somebody who shows something wrong: `refusal`, or 429 with `Retry-After` once it was too often. */
export async function rejectFailedAuth(
  c: Context<AppEnv>,
  kind: Parameters<typeof recordFailedAuth>[1],
  refusal: ApiError,
): Promise<ApiError> {
  const waitMs = await recordFailedAuth(c, kind, Date.now())
  return waitMs > 0 ? tooManyRequests(waitMs) : refusal
}
