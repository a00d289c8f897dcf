import type { Env } from '../../env.ts'
import { maySignIn } from '../../accounts/account-rows.ts'
import { readAccessToken } from './access-token-rows.ts'
import { unauthorized } from '../api-error.ts'

export interface Caller {
  readonly userId: string
  readonly email: string
  readonly accessToken: string
  /** Id of the token's grant. Revoking the grant revokes all of its tokens. */
  readonly grantId: string
  readonly sessionUid: string | null
}

/**
 * Returns the account of the access token. Throws 401 if the token is invalid at `now` (ms UTC), or if its account may
 * not sign in here. Reads D1 without a cache, so that a sign-out takes effect immediately.
 */
export async function verifyToken(env: Env, accessToken: string | undefined, now: number): Promise<Caller> {
  if (accessToken === undefined || !/^[\w-]{20,128}$/.test(accessToken)) throw unauthorized()
  const tokenRow = await readAccessToken(env.DB, accessToken, now)
  if (tokenRow === null || !maySignIn(tokenRow, env)) throw unauthorized()
  const { demo: _, ...caller } = tokenRow
  return { ...caller, accessToken }
}
