import * as oidc from 'openid-client'
import * as v from 'valibot'
import { id } from '../../contract/envelope.ts'
import { toHex, utf8 } from './bytes.ts'
import { callbackUrl, provider } from './oidc.ts'
import type { Settings } from './env.ts'
import type { Transaction } from './transactions.ts'

/** Tokens as the token endpoint gave them. `expiresAt` in ms UTC. */
export interface Tokens {
  readonly access: string
  readonly refresh: string | null
  readonly idToken: string | null
  readonly expiresAt: number
}

/** Who signed in. */
export interface Identity {
  readonly userId: string
  readonly email: string
}

const claims = v.object({ sub: v.string(), email: v.optional(v.string()), user_id: v.optional(v.string()) })
/** Assumed where a provider does not say how long its tokens live (OPEN-18). */
export const DEFAULT_LIFE_S = 3600

/**
 * Exchanges the code of `currentUrl` (the callback with its query) for tokens and asks who it is. Throws what
 * openid-client throws.
 */
export async function exchange(
  settings: Settings,
  search: string,
  pending: Transaction,
  now: () => number,
): Promise<{ tokens: Tokens; identity: Identity }> {
  const found = await provider(settings)
  const answer = await oidc.authorizationCodeGrant(found, new URL(callbackUrl(settings) + search), {
    pkceCodeVerifier: pending.verifier,
    expectedNonce: pending.nonce,
    expectedState: pending.state === '' ? oidc.skipStateCheck : pending.state,
    idTokenExpected: true,
  })
  const idToken = v.parse(claims, answer.claims())
  const userInfo = v.parse(claims, await oidc.fetchUserInfo(found, answer.access_token, idToken.sub))
  const userId = await safeUserId(userInfo.user_id ?? idToken.user_id ?? idToken.sub)
  return { tokens: toTokens(answer, now()), identity: { userId, email: userInfo.email ?? idToken.email ?? '' } }
}

/** A subject may hold any character, an id of ours goes into paths and keys (OPEN-85): others are known by their hash. */
async function safeUserId(subject: string): Promise<string> {
  if (v.is(id, subject)) return subject
  return `sub_${toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(subject)))).slice(0, 40)}`
}

export function toTokens(answer: oidc.TokenEndpointResponse, now: number): Tokens {
  return {
    access: answer.access_token,
    refresh: answer.refresh_token ?? null,
    idToken: answer.id_token ?? null,
    expiresAt: now + (answer.expires_in ?? DEFAULT_LIFE_S) * 1000,
  }
}
