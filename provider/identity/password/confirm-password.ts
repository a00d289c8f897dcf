import type { AccountRow } from '../../accounts/account-rows.ts'
import type { Env } from '../../env.ts'
import type { Guesser } from '../../platform/rate-limits/attempt-limits.ts'
import { authenticate, signInError, type SignInError } from '../sign-in/check-credentials.ts'

/** Checks the password of a signed-in account: null if right, else `wrong` or the time to wait. `now` in ms UTC. */
export async function confirmPassword(
  env: Env,
  requester: Pick<Guesser, 'ip' | 'known'> & { readonly account: AccountRow },
  typed: { readonly password: string; readonly wrong: string },
  now: number,
): Promise<SignInError | null> {
  const guess = { ip: requester.ip, known: requester.known, email: requester.account.email, password: typed.password }
  const outcome = await authenticate(env, guess, now)
  if (outcome.state !== 'refused') return null
  return outcome.status === 429 ? outcome : signInError(typed.wrong)
}
