import type { Env } from '../../env.ts'
import { readAccessToken } from './access-token-rows.ts'
import { unauthorized } from '../api-error.ts'

export interface Caller {
  readonly userId: string
  readonly email: string
  readonly accessToken: string
  /** Grant of the token. Its tokens are revoked together. */
  readonly grantId: string
  readonly sessionUid: string | null
}

/**
 * Returns the account of the access token at `now` (ms UTC); throws 401 if it is invalid. One uncached D1 read, so that
 * a sign-out takes effect immediately.
 */
export async function verifyToken(env: Env, accessToken: string | undefined, now: number): Promise<Caller> {
  if (accessToken === undefined || !/^[\w-]{20,128}$/.test(accessToken)) throw unauthorized()
  const found = await readAccessToken(env.DB, accessToken, now)
  if (found === null) throw unauthorized()
  return { ...found, accessToken }
}
