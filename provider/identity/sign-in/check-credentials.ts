import { setTimeout as sleep } from 'node:timers/promises'
import type { Env } from '../../env.ts'
import { accountByEmail } from '../../accounts/account-rows.ts'
import { countAttempt, signInLimits, type Attempt, type Guesser } from '../../platform/rate-limits/attempt-limits.ts'
import { isOverloaded } from './overload-state.ts'
import { clientNetwork } from '../../platform/rate-limits/client-network.ts'
import { FairQueue } from './fair-queue.ts'
import { checkPassword } from '../password/hash-password.ts'
import { deleteExpired } from './sign-out.ts'

const WRONG = 'That e-mail address and password do not belong together. Check both and try again.'

/** Sign-in error of a form: HTTP status, one sentence, and seconds until the next attempt. */
export interface SignInError {
  readonly state: 'refused'
  readonly status: number
  readonly error: string
  readonly retryAfter?: number
  /** The credentials were not checked, because the queue is full. */
  readonly isBusy?: boolean
}

export const signInError = (error: string, status = 200): SignInError => ({ state: 'refused', status, error })

export function tooMany(waitMs: number): SignInError {
  const minutes = Math.ceil(waitMs / 60_000)
  const error = `Too many attempts. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`
  return { state: 'refused', status: 429, error, retryAfter: Math.ceil(waitMs / 1000) }
}

/**
 * Queue for password checks: a check blocks the thread for a quarter of a second, and exact counting writes to disk
 * several times.
 */
const turns = new FairQueue()
const BUSY_S = 5
const BUSY: SignInError = {
  ...signInError('Many people sign in at this moment. Try again in a few seconds.', 429),
  ...{ retryAfter: BUSY_S, isBusy: true },
}

type Guess = Guesser & { readonly password: string }
type Outcome = { readonly state: 'signed-in'; readonly userId: string } | SignInError

/**
 * Checks email and password, rate-limited (`signInLimits`) and in the turn of the client network. The error is the same
 * for a wrong email and a wrong password.
 */
export async function authenticate(env: Env, guess: Guess, now: number): Promise<Outcome> {
  const isKnown = guess.known !== null
  const turn = turns.enter(isKnown ? `browser ${guess.known}` : clientNetwork(guess.ip), Date.now(), isKnown)
  if (!turn) return BUSY
  while (!turns.tryStart(turn, Date.now())) await sleep(turns.getRetryDelayMs(turn))
  let idle = true
  try {
    const attempt = await countAttempt(env, signInLimits(guess), now)
    if (attempt.waitMs > 0) return tooMany(attempt.waitMs)
    idle = false
    return await check(env, guess, attempt, now)
  } finally {
    turns.done(turn, Date.now(), { crowded: isOverloaded(Date.now()), idle })
  }
}

async function check(env: Env, { email, password }: Guess, attempt: Attempt, now: number): Promise<Outcome> {
  const account = await accountByEmail(env.DB, email)
  const isRight = await checkPassword(password, account?.passwordHash ?? null)
  if (!isRight || account === null) return signInError(WRONG)
  await Promise.all([attempt.succeeded(), deleteExpired(env.DB, now)])
  return { state: 'signed-in', userId: account.userId }
}
