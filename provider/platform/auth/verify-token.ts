import type { Env } from '../../env.ts'
import { readAccessToken } from './access-token-rows.ts'
import { unauthorized } from '../api-error.ts'

/** Whose call it is. */
export interface Caller {
  readonly userId: string
  readonly email: string
  readonly accessToken: string
  /** The sign-in that the token belongs to; revoked as one. */
  readonly grantId: string
  readonly sessionUid: string | null
}

/** Who the access token belongs to at `now` (ms UTC); one D1 read, nothing cached, so that a sign-out counts at once. */
export async function verifyToken(env: Env, accessToken: string | undefined, now: number): Promise<Caller> {
  if (accessToken === undefined || !/^[\w-]{20,128}$/.test(accessToken)) throw unauthorized()
  const found = await readAccessToken(env.DB, accessToken, now)
  if (found === null) throw unauthorized()
  return { ...found, accessToken }
}
