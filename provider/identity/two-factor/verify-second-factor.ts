import type { Env } from '../../env.ts'
import { factorKeys } from '../../platform/crypto/rotating-keys.ts'
import {
  countAttempt,
  secondFactorLimits,
  type SecondFactorAttempt,
} from '../../platform/rate-limits/attempt-limits.ts'
import { signInError, tooManyAttemptsError, type SignInError } from '../sign-in/check-credentials.ts'
import { hashRecoveryCode, findTimeStep } from './one-time-codes.ts'
import { consumeRecoveryCode, consumeTotpStep, replaceSecret, type SecondFactorRow } from './second-factor-rows.ts'
import { encryptText, decryptText } from '../../platform/crypto/encrypt-text.ts'
import { getObject } from '../../platform/objects.ts'

const WRONG_CODE_MESSAGES = {
  code: 'That code is wrong or has expired.',
  recovery: 'That recovery code is wrong or was already used.',
}
const INCOMPLETE_CODE_MESSAGES = { code: 'Enter the 6-digit code.', recovery: 'Enter a recovery code.' }
const COMPLETE_CODE_PATTERNS = { code: /^\s*(?:\d\s*){6}$/, recovery: /[A-Z2-7]/i }
const UNREADABLE_KEY_ERROR = new Error(
  'A key for two-step verification can’t be decrypted with FACTOR_KEY or FACTOR_KEY_OLD.',
)

export interface SecondFactorInput {
  readonly way: 'code' | 'recovery'
  readonly typed: string
}

/** Returns the encryption purpose (`encryptText`) that binds a second-factor key to its account. */
export const factorKeyPurpose = (userId: string) => `key of ${userId}`

/**
 * Returns the TOTP key (base32) of a factor. Re-encrypts a key that a previous `FACTOR_KEY` encrypted. Throws if no
 * `FACTOR_KEY` decrypts it.
 */
export async function readFactorKey(env: Env, userId: string, factor: SecondFactorRow): Promise<string> {
  const [newest, purpose] = [env.FACTOR_KEY, factorKeyPurpose(userId)]
  const key = await decryptText([newest], purpose, factor.secret)
  if (key !== null) return key
  const old = await decryptText(factorKeys(env).slice(1), purpose, factor.secret)
  if (old === null) throw UNREADABLE_KEY_ERROR
  await replaceSecret(env.DB, userId, factor.secret, await encryptText(newest, purpose, old))
  return old
}

async function consumeCode(
  env: Env,
  userId: string,
  factor: SecondFactorRow,
  proof: SecondFactorInput,
  now: number,
): Promise<boolean> {
  if (proof.way === 'recovery')
    return await consumeRecoveryCode(env.DB, userId, hashRecoveryCode(userId, proof.typed), now)
  const step = findTimeStep(await readFactorKey(env, userId, factor), proof.typed, now)
  return step !== null && (await consumeTotpStep(env.DB, userId, step))
}

/**
 * Checks and consumes a one-time code or a recovery code. Returns null if the code is correct. Otherwise, returns an
 * error with the number of attempts left, or with the time to wait if a rate limit is exceeded.
 */
export async function checkSecondFactor(
  env: Env,
  { factor, ...guesser }: SecondFactorAttempt & { readonly factor: SecondFactorRow },
  proof: SecondFactorInput,
  now: number,
): Promise<SignInError | null> {
  const { userId } = guesser
  // A code that is empty or too short is no guess, so it must not count as an attempt.
  if (!COMPLETE_CODE_PATTERNS[proof.way].test(proof.typed)) return signInError(INCOMPLETE_CODE_MESSAGES[proof.way])
  const limits = secondFactorLimits(guesser)
  const attempt = await countAttempt(env, limits, now)
  if (attempt.waitMs > 0) return tooManyAttemptsError(attempt.waitMs)
  if (await consumeCode(env, userId, factor, proof, now)) {
    await attempt.markSucceeded()
    return null
  }
  const [{ name, action, count }] = limits
  const attemptsLeft = await getObject(env, 'GUARDS', name).countAttemptsLeft(action, count, now)
  return signInError(
    `${WRONG_CODE_MESSAGES[proof.way]} ${attemptsLeft === 1 ? 'You have one attempt left.' : `You have ${attemptsLeft === 0 ? 'no' : attemptsLeft} attempts left.`}`,
  )
}
