import type { AccountRow } from '../../accounts/account-rows.ts'
import type { Env } from '../../env.ts'
import type { SignInAttempt } from '../../platform/rate-limits/attempt-limits.ts'
import { authenticate, signInError, type SignInError } from '../sign-in/check-credentials.ts'

const NO_PASSWORD_MESSAGE = 'Enter your password.'

/**
 * Checks the password of a signed-in account. Returns null if the password is correct. Otherwise, returns an error with
 * the sentence `entry.wrong`, or the error of a rate limit or full queue (status 429). `now` in ms UTC.
 */
export async function confirmPassword(
  env: Env,
  requester: Pick<SignInAttempt, 'ip' | 'known'> & { readonly account: AccountRow },
  entry: { readonly password: string; readonly wrong: string },
  now: number,
): Promise<SignInError | null> {
  // An empty field is no guess, so it must not count as an attempt.
  if (entry.password === '') return signInError(NO_PASSWORD_MESSAGE)
  const guess = { ip: requester.ip, known: requester.known, email: requester.account.email, password: entry.password }
  const outcome = await authenticate(env, guess, now)
  if (outcome.state !== 'refused') return null
  return outcome.status === 429 ? outcome : signInError(entry.wrong)
}
