import * as v from 'valibot'
import { accountEmail } from '../../../contract/operator/operator-calls.ts'
import type { Env } from '../../env.ts'
import { isEmpty } from '../../accounts/account-rows.ts'
import { countAttempt, originLimit } from '../../platform/rate-limits/attempt-limits.ts'
import { signInError, tooMany, type SignInError } from './check-credentials.ts'
import { openAccount } from '../create-account.ts'
import { newPasswordProblem } from '../password/password-rules.ts'
import { isSetupCode } from './setup-code.ts'

const WRONG_CODE = 'This setup code is not the one on the terminal. Check it and try again.'
const NO_ADDRESS = 'This is not an e-mail address. Check it and try again.'
const TAKEN = 'The first account has been created already. Sign in with it.'

/** Creates the first account from the first-run form, rate-limited by client network. */
export async function createFirst(
  env: Env,
  ip: string,
  form: URLSearchParams,
  now: number,
): Promise<{ state: 'signed-in'; userId: string } | SignInError> {
  if (env.DEMO === '1' || !(await isEmpty(env.DB))) return signInError(TAKEN)
  const attempt = await countAttempt(env, [originLimit(ip)], now)
  if (attempt.waitMs > 0) return tooMany(attempt.waitMs)
  if (!isSetupCode(env, form.get('setup_code') ?? '')) return signInError(WRONG_CODE)
  await attempt.succeeded()
  const email = v.safeParse(accountEmail, form.get('email') ?? '')
  if (!email.success) return signInError(NO_ADDRESS)
  const password = form.get('password') ?? ''
  const problem = newPasswordProblem(password, form.get('repeat') ?? '', email.output)
  if (problem !== null) return signInError(problem)
  const userId = await openAccount(env, { email: email.output, password, first: true }, now)
  return userId === null ? signInError(TAKEN) : { state: 'signed-in', userId }
}
