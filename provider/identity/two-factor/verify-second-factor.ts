import type { Env } from '../../env.ts'
import { factorKeys } from '../../platform/crypto/rotating-keys.ts'
import { countAttempt, factorLimits, type FactorGuesser } from '../../platform/rate-limits/attempt-limits.ts'
import { signInError, tooMany, type SignInError } from '../sign-in/check-credentials.ts'
import { recoveryHash, findTimeStep } from './one-time-codes.ts'
import { consumeRecoveryCode, consumeStep, replaceSecret, type FactorRow } from './second-factor-rows.ts'
import { encryptText, decryptText } from '../../platform/crypto/encrypt-text.ts'

const WRONG = {
  code: 'That code is not right, or too old.',
  recovery: 'That recovery code is not right, or was used before.',
}
const UNREADABLE = new Error(
  'A second factor cannot be read: neither FACTOR_KEY nor FACTOR_KEY_OLD is what it was stored under.',
)

export interface SecondFactorInput {
  readonly way: 'code' | 'recovery'
  readonly typed: string
}

/** Returns the encryption purpose (`encryptText`) that binds a second-factor key to its account. */
export const keyPurpose = (userId: string) => `key of ${userId}`

/** Returns a factor's key (base32); re-encrypts it if a previous key sealed it. Throws if no key opens it. */
export async function readFactorKey(env: Env, userId: string, factor: FactorRow): Promise<string> {
  const [newest, purpose] = [env.FACTOR_KEY, keyPurpose(userId)]
  const key = await decryptText([newest], purpose, factor.secret)
  if (key !== null) return key
  const old = await decryptText(factorKeys(env).slice(1), purpose, factor.secret)
  if (old === null) throw UNREADABLE
  await replaceSecret(env.DB, userId, factor.secret, await encryptText(newest, purpose, old))
  return old
}

async function isRight(
  env: Env,
  userId: string,
  factor: FactorRow,
  proof: SecondFactorInput,
  now: number,
): Promise<boolean> {
  if (proof.way === 'recovery') return await consumeRecoveryCode(env.DB, userId, recoveryHash(userId, proof.typed), now)
  const step = findTimeStep(await readFactorKey(env, userId, factor), proof.typed, now)
  return step !== null && (await consumeStep(env.DB, userId, step))
}

/**
 * Checks and consumes a code, rate-limited. `known`: the browser's proof of an earlier sign-in, which has its own
 * attempts. Returns null if right, else a sentence with the attempts left.
 */
export async function checkFactor(
  env: Env,
  { factor, ...guesser }: FactorGuesser & { readonly factor: FactorRow },
  proof: SecondFactorInput,
  now: number,
): Promise<SignInError | null> {
  const { userId } = guesser
  const limits = factorLimits(guesser)
  const attempt = await countAttempt(env, limits, now)
  if (attempt.waitMs > 0) return tooMany(attempt.waitMs)
  if (await isRight(env, userId, factor, proof, now)) {
    await attempt.succeeded()
    return null
  }
  const [{ name, action, count }] = limits
  const left = await env.GUARDS.getByName(name).left(action, count, now)
  return signInError(`${WRONG[proof.way]} ${left === 1 ? 'One try is left.' : `${left} tries are left.`}`)
}
