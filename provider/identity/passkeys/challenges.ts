import { randomBytes } from 'node:crypto'
import type { Env } from '../../env.ts'
import { factorKeys } from '../../platform/crypto/rotating-keys.ts'
import { seal, unseal } from '../../platform/crypto/encrypt-text.ts'

const CHALLENGE_MS = 5 * 60_000

/** What a passkey is asked to sign: sealed, so that nothing is stored until it is used. */
interface Sealed {
  /** 32 random bytes, base64url. */
  readonly challenge: string
  /** ms UTC */
  readonly until: number
}

/** A challenge that is good at one place: a sign-in page, the page of one account, or a step of deleting it. */
export type Purpose = `passkey at ${string}` | `${'passkey' | 'leave'} of ${string}` | `leave at ${string}`

/** A new challenge and the ticket that brings it back, for five minutes from `now` (ms UTC). */
export async function newChallenge(env: Env, purpose: Purpose, now: number) {
  const challenge = randomBytes(32).toString('base64url')
  const sealed: Sealed = { challenge, until: now + CHALLENGE_MS }
  return { challenge, ticket: await seal(env.FACTOR_KEY, purpose, JSON.stringify(sealed)) }
}

/** The challenge of a ticket, once: null when it is of another place, too old, or was used before. */
export async function consumeChallenge(
  env: Env,
  purpose: Purpose,
  ticket: string,
  now: number,
): Promise<string | null> {
  const text = await unseal(factorKeys(env), purpose, ticket)
  if (text === null) return null
  const { challenge, until } = JSON.parse(text) as Sealed
  if (until <= now) return null
  const isNew = await env.GUARDS.getByName(purpose).useNonce(challenge, until, now)
  return isNew ? challenge : null
}
