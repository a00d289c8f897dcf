import type { Env } from '../env.ts'
import { accountByEmail } from '../access/accounts.ts'
import { beginAttempt, emailCounter } from '../guard/attempts.ts'
import { checkPassword } from './passwords.ts'
import { sweepExpired } from './sign-out.ts'

const WRONG = 'That e-mail address and password do not belong together. Check both and try again.'

/** Why a form is shown again: HTTP status, one sentence, and the seconds until it is taken again where that matters. */
export interface Refused {
  readonly state: 'refused'
  readonly status: number
  readonly error: string
  readonly retryAfter?: number
}

export const refused = (error: string, status = 200): Refused => ({ state: 'refused', status, error })

/** Too many attempts: how long to wait. */
export function tooMany(waitMs: number): Refused {
  const minutes = Math.ceil(waitMs / 60_000)
  const error = `Too many attempts. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`
  return { state: 'refused', status: 429, error, retryAfter: Math.ceil(waitMs / 1000) }
}

/** Checks e-mail and password at a limited rate, by address and by origin. The same sentence for a wrong one of either. */
export async function authenticate(
  env: Env,
  ip: string,
  { email, password }: { email: string; password: string },
  now: number,
): Promise<{ state: 'signed-in'; userId: string } | Refused> {
  const attempt = await beginAttempt(env, [emailCounter(email), `ip:${ip}`], now)
  if (attempt.waitMs > 0) return tooMany(attempt.waitMs)
  const account = await accountByEmail(env.DB, email)
  if (!(await checkPassword(password, account?.passwordHash ?? null)) || account === null) return refused(WRONG)
  await Promise.all([attempt.succeeded(), sweepExpired(env.DB, now)])
  return { state: 'signed-in', userId: account.userId }
}
