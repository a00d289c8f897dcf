import { randomBytes } from 'node:crypto'
import type { Env } from '../../env.ts'
import { factorKeys } from '../../platform/crypto/rotating-keys.ts'
import { encryptText, decryptText } from '../../platform/crypto/encrypt-text.ts'
import { getObject } from '../../platform/objects.ts'

const CHALLENGE_LIFETIME_MS = 5 * 60_000

/** Passkey challenge, encrypted into a ticket. The server stores nothing until the challenge is used. */
interface ChallengeContent {
  /** 32 random bytes, base64url. */
  readonly challenge: string
  /** ms UTC */
  readonly until: number
}

/** Purpose of a challenge: one sign-in page, an account's passkey page, or one step of the account deletion. */
export type ChallengePurpose = `passkey at ${string}` | `${'passkey' | 'leave'} of ${string}` | `leave at ${string}`

/** Creates a challenge and an encrypted ticket for `purpose`, valid for five minutes from `now` (ms UTC). */
export async function createChallenge(env: Env, purpose: ChallengePurpose, now: number) {
  const challenge = randomBytes(32).toString('base64url')
  const challengeContent: ChallengeContent = { challenge, until: now + CHALLENGE_LIFETIME_MS }
  return { challenge, ticket: await encryptText(env.FACTOR_KEY, purpose, JSON.stringify(challengeContent)) }
}

/**
 * Consumes the challenge of a ticket. Returns null if the ticket is not for `purpose`, has expired or was already used.
 */
export async function consumeChallenge(
  env: Env,
  purpose: ChallengePurpose,
  ticket: string,
  now: number,
): Promise<string | null> {
  const text = await decryptText(factorKeys(env), purpose, ticket)
  if (text === null) return null
  const { challenge, until } = JSON.parse(text) as ChallengeContent
  if (until <= now) return null
  const isNew = await getObject(env, 'GUARDS', purpose).consumeNonce(challenge, until, now)
  return isNew ? challenge : null
}
