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

/** Why a form is shown again: HTTP status, one sentence, and the seconds until it is taken again where that matters. */
export interface SignInError {
  readonly state: 'refused'
  readonly status: number
  readonly error: string
  readonly retryAfter?: number
  /** Nothing was looked at, since too many wait. */
  readonly isBusy?: boolean
}

export const signInError = (error: string, status = 200): SignInError => ({ state: 'refused', status, error })

/** Too many attempts: how long to wait. */
export function tooMany(waitMs: number): SignInError {
  const minutes = Math.ceil(waitMs / 60_000)
  const error = `Too many attempts. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`
  return { state: 'refused', status: 429, error, retryAfter: Math.ceil(waitMs / 1000) }
}

/** A password takes a quarter of a second of the thread, and counting the guess exactly writes to the disk several times. */
const turns = new FairQueue()
const BUSY_S = 5
const BUSY: SignInError = {
  ...signInError('Many people sign in at this moment. Try again in a few seconds.', 429),
  ...{ retryAfter: BUSY_S, isBusy: true },
}

type Guess = Guesser & { readonly password: string }
type Outcome = { readonly state: 'signed-in'; readonly userId: string } | SignInError

/**
 * Checks e-mail and password at a limited rate (`signInLimits`), when it is this place's turn. The same sentence for a wrong one
 * of either.
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
