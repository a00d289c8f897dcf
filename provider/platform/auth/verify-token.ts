import type { Env } from '../../env.ts'
import { unauthorized } from '../api-error.ts'
import { hashToken } from '../crypto/token-hash.ts'
import { readAccessToken } from './access-token-rows.ts'
import { isUnsignedToken, readTokenAccount } from './access-token-id.ts'
import type { NonceUse } from '../../accounts/access/account-guard.ts'
import type { AccountAccess } from '../../homes/members/account-access.ts'
import { getObject } from '../objects.ts'

export interface Caller {
  readonly userId: string
  readonly email: string
  readonly accessToken: string
  /** Id of the token's grant. Revoking the grant revokes all of its tokens. */
  readonly grantId: string
  readonly sessionUid: string | null
}

/**
 * Returns the id of the account whose object verifies the token. Throws 401 for a malformed or forged token, without a
 * request to an object or to D1. `now`: ms UTC.
 */
export async function findTokenAccount(env: Env, token: string | undefined, now: number) {
  if (token === undefined || !/^[\w-]{20,128}$/.test(token)) throw unauthorized()
  const userId = isUnsignedToken(token)
    ? (await readAccessToken(env.DB, hashToken(token), now))?.userId
    : readTokenAccount(env, token)
  if (userId == null) throw unauthorized()
  return { token, userId }
}

/**
 * Returns the account of the token, after the account's object has verified the token and consumed the nonce. With
 * `needsAccess`, also returns the account's access from the same request. Throws 401 if the token is revoked or expired
 * at `now` (ms UTC), or if its account may not sign in here.
 */
export async function verifyToken(
  env: Env,
  { token, userId }: { readonly token: string; readonly userId: string },
  { nonceUse, needsAccess }: { readonly nonceUse: NonceUse | null; readonly needsAccess: boolean },
  now: number,
): Promise<{ readonly account: Caller; readonly isFresh: boolean; readonly access: AccountAccess | null }> {
  const guard = getObject(env, 'GUARDS', userId)
  const verified = await guard.verifyCall(hashToken(token), nonceUse, needsAccess ? userId : null, now)
  if (verified?.token.userId !== userId) throw unauthorized()
  const { token: row, isFresh, access } = verified
  const { email, grantId, sessionUid } = row
  return { account: { userId, email, accessToken: token, grantId, sessionUid }, isFresh, access }
}
