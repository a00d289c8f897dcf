import { setTimeout as sleep } from 'node:timers/promises'
import type { Env } from '../../env.ts'
import { findAccountByEmail, maySignIn } from '../../accounts/account-rows.ts'
import {
  countAttempt,
  signInLimits,
  type CountedAttempt,
  type SignInAttempt,
} from '../../platform/rate-limits/attempt-limits.ts'
import { isOverloaded } from './overload-state.ts'
import { clientNetwork } from '../../platform/rate-limits/client-network.ts'
import { FairQueue } from './fair-queue.ts'
import { verifyPassword } from '../password/hash-password.ts'
import { deleteExpiredOidcRows } from './sign-out.ts'
import type { FormProblem } from '../pages/form-fields.ts'

const WRONG_CREDENTIALS_MESSAGE = 'Wrong email or password. Try again.'
export const DEMO_ACCOUNT_MESSAGE = 'Demo accounts can’t log in here. Use your own account.'

/** Sign-in error of a form: HTTP status, one sentence for the user, and seconds until the next attempt. */
export interface SignInError {
  readonly state: 'refused'
  readonly status: number
  readonly error: string
  readonly retryAfter?: number
  /** True if the credentials were not checked because the queue is full. */
  readonly isBusy?: boolean
  /** Id of the field that the sentence concerns; absent if it concerns the whole form. */
  readonly field?: string
}

export const signInError = (error: string, status = 200): SignInError => ({ state: 'refused', status, error })
export const fieldError = (field: string, error: string): SignInError => ({ ...signInError(error), field })
/** Returns the problem that a page shows for an error. */
export const toFormProblem = ({ field, error }: SignInError): FormProblem => ({
  field: field ?? null,
  message: error,
})

export function tooManyAttemptsError(waitMs: number): SignInError {
  const minutes = Math.ceil(waitMs / 60_000)
  const error = `Too many attempts. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`
  return { state: 'refused', status: 429, error, retryAfter: Math.ceil(waitMs / 1000) }
}

/**
 * Queue for password checks. One check blocks the thread for 250 ms, and counting the attempt needs several disk
 * writes.
 */
const passwordCheckQueue = new FairQueue()
const BUSY_RETRY_AFTER_S = 5
const BUSY_ERROR: SignInError = {
  ...signInError('Too many people are logging in right now. Try again in a few seconds.', 429),
  retryAfter: BUSY_RETRY_AFTER_S,
  isBusy: true,
}

type PasswordGuess = SignInAttempt & { readonly password: string }
type CredentialCheckResult = { readonly state: 'signed-in'; readonly userId: string } | SignInError

/**
 * Checks email and password. `signInLimits` limits the attempts. A fair queue orders the checks by client network or
 * known browser. The error is the same for an unknown email address and a wrong password.
 */
export async function authenticate(env: Env, guess: PasswordGuess, now: number): Promise<CredentialCheckResult> {
  const isKnown = guess.known !== null
  const queueEntry = passwordCheckQueue.enter(
    isKnown ? `browser ${guess.known}` : clientNetwork(guess.ip),
    Date.now(),
    isKnown,
  )
  if (!queueEntry) return BUSY_ERROR
  while (!passwordCheckQueue.tryStart(queueEntry, Date.now()))
    await sleep(passwordCheckQueue.getRetryDelayMs(queueEntry))
  let isIdle = true
  try {
    const attempt = await countAttempt(env, signInLimits(guess), now)
    if (attempt.waitMs > 0) return tooManyAttemptsError(attempt.waitMs)
    isIdle = false
    return await checkCredentials(env, guess, attempt, now)
  } finally {
    passwordCheckQueue.finish(queueEntry, Date.now(), { crowded: isOverloaded(Date.now()), idle: isIdle })
  }
}

async function checkCredentials(
  env: Env,
  { email, password }: PasswordGuess,
  attempt: CountedAttempt,
  now: number,
): Promise<CredentialCheckResult> {
  const account = await findAccountByEmail(env.DB, email)
  const isRight = await verifyPassword(password, account?.passwordHash ?? null)
  if (!isRight || account === null) return signInError(WRONG_CREDENTIALS_MESSAGE)
  if (!maySignIn(account, env)) return signInError(DEMO_ACCOUNT_MESSAGE)
  await Promise.all([attempt.markSucceeded(), deleteExpiredOidcRows(env.DB, now)])
  return { state: 'signed-in', userId: account.userId }
}
