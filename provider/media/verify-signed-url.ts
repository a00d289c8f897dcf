import type { Context } from 'hono'
import { formatSignedContent, type SignedMediaKind } from '../../contract/media/media-urls.ts'
import { maySignIn } from '../accounts/account-rows.ts'
import type { AppEnv, Env } from '../env.ts'
import { verifyHmacHex, importTextKey } from '../platform/crypto/hmac.ts'
import { mediaKeys } from '../platform/crypto/rotating-keys.ts'
import { readMediaToken } from '../platform/media-urls/media-token.ts'
import { forbidden } from '../platform/api-error.ts'
import { findGrantAccount } from '../platform/auth/access-token-rows.ts'

export interface VerifiedSignedUrl<Kind extends SignedMediaKind> {
  readonly kind: Kind
  readonly id: string
  readonly user: string
  /** Returns true if the sign-in that requested the URL is still valid. Costs one database read. */
  readonly isSignInValid: () => Promise<boolean>
}

/** Sets headers that let portal pages read the response and that disable MIME sniffing and caching. */
export function setPortalCorsHeaders(c: Context<AppEnv>): void {
  c.header('access-control-allow-origin', c.env.PORTAL_ORIGIN)
  c.header('vary', 'origin')
  c.header('cross-origin-resource-policy', 'cross-origin')
  c.header('x-content-type-options', 'nosniff')
  c.header('cache-control', 'private, no-store')
}

async function hasValidUrlSignature(env: Env, content: string, sig: string): Promise<boolean> {
  for (const key of mediaKeys(env)) if (await verifyHmacHex(await importTextKey(key), content, sig)) return true
  return false
}

/** Verifies the signed URL of the request. Throws 403 if the URL is forged or expired, or if its sign-in has ended. */
export async function verifySignedUrl<Kind extends SignedMediaKind>(
  c: Context<AppEnv>,
  kind: Kind,
  id: string,
  now: number,
): Promise<VerifiedSignedUrl<Kind>> {
  const { env } = c
  const { TICKET_KEY } = env
  const { p = '', exp = '', sig = '' } = c.req.query()
  const isGenuine = await hasValidUrlSignature(c.env, formatSignedContent(kind, id, p, Number(exp)), sig)
  const grant = isGenuine ? await readMediaToken(TICKET_KEY, p) : null
  if (grant === null || !/^\d{13}$/.test(exp)) throw forbidden('The URL isn’t valid.')
  if (Number(exp) <= now) throw forbidden('The URL has expired.')
  const findUser = async (at: number) => {
    const account = await findGrantAccount(env.DB, grant, at)
    return account !== null && maySignIn(account, env) ? account.userId : null
  }
  const user = await findUser(now)
  if (user === null) throw forbidden('The URL is no longer valid because the user logged out.')
  return { kind, id, user, isSignInValid: async () => (await findUser(Date.now())) !== null }
}
