import { ERROR_CATALOGUE } from '../../contract/error-codes.ts'
import { Refusal } from './answers.ts'
import type { EdgeContext } from './context.ts'

/** What the Workers rate-limit binding can do; its limit and period are in wrangler.toml. */
export interface RateLimiter {
  limit(options: { key: string }): Promise<{ success: boolean }>
}

/** Period of the binding: after it, the next request is taken in any case. */
const PERIOD_S = 60

/** Refuses with 429 when this visitor's address has started too many sign-ins of late (security: Decisions 9). */
export async function limitSignIns(c: EdgeContext): Promise<void> {
  const limiter = c.env['SIGN_INS'] as RateLimiter | undefined
  const { success = true } = (await limiter?.limit({ key: c.req.header('cf-connecting-ip') ?? 'unknown' })) ?? {}
  if (success) return
  c.header('retry-after', String(PERIOD_S))
  throw new Refusal(429, ERROR_CATALOGUE['429'].text)
}
