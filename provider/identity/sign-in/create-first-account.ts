import * as v from 'valibot'
import { accountEmail } from '../../../contract/operator/operator-calls.ts'
import type { Env } from '../../env.ts'
import { hasNoAccounts } from '../../accounts/account-rows.ts'
import { countAttempt, networkLimit } from '../../platform/rate-limits/attempt-limits.ts'
import { signInError, tooManyAttemptsError, type SignInError } from './check-credentials.ts'
import { createAccount } from '../create-account.ts'
import { findNewPasswordProblem } from '../password/password-rules.ts'
import { isSetupCode } from './setup-code.ts'

const WRONG_CODE_MESSAGE = 'This setup code is not the one on the terminal. Check it and try again.'
const INVALID_EMAIL_MESSAGE = 'This is not an e-mail address. Check it and try again.'
const ALREADY_CREATED_MESSAGE = 'The first account has been created already. Sign in with it.'

/** Creates the first account from the first-run form, rate-limited by client network. */
export async function createFirstAccount(
  env: Env,
  ip: string,
  form: URLSearchParams,
  now: number,
): Promise<{ state: 'signed-in'; userId: string } | SignInError> {
  if (env.DEMO === '1' || !(await hasNoAccounts(env.DB))) return signInError(ALREADY_CREATED_MESSAGE)
  const attempt = await countAttempt(env, [networkLimit(ip)], now)
  if (attempt.waitMs > 0) return tooManyAttemptsError(attempt.waitMs)
  if (!isSetupCode(env, form.get('setup_code') ?? '')) return signInError(WRONG_CODE_MESSAGE)
  await attempt.markSucceeded()
  const email = v.safeParse(accountEmail, form.get('email') ?? '')
  if (!email.success) return signInError(INVALID_EMAIL_MESSAGE)
  const password = form.get('password') ?? ''
  const problem = findNewPasswordProblem(password, form.get('repeat') ?? '', email.output)
  if (problem !== null) return signInError(problem)
  const userId = await createAccount(env, { email: email.output, password, first: true }, now)
  return userId === null ? signInError(ALREADY_CREATED_MESSAGE) : { state: 'signed-in', userId }
}
