import type { Context } from 'hono'
import { mediaContent, type SignedKind } from '../../contract/media/media-urls.ts'
import type { AppEnv, Env } from '../env.ts'
import { hmacMatches, textKey } from '../platform/crypto/hmac.ts'
import { mediaKeys } from '../platform/crypto/rotating-keys.ts'
import { readMediaToken } from '../platform/media-urls/media-token.ts'
import { forbidden } from '../platform/api-error.ts'
import { readSignIn } from '../platform/auth/access-token-rows.ts'

export interface SignedAddress<Kind extends SignedKind> {
  readonly kind: Kind
  readonly id: string
  readonly user: string
  /** Returns true if the sign-in for which the URL was made is still valid. Costs one database read. */
  readonly stands: () => Promise<boolean>
}

/** Lets pages of the portal read the response. Disables MIME sniffing and storage by caches. */
export function allowPortal(c: Context<AppEnv>): void {
  c.header('access-control-allow-origin', c.env.PORTAL_ORIGIN)
  c.header('vary', 'origin')
  c.header('cross-origin-resource-policy', 'cross-origin')
  c.header('x-content-type-options', 'nosniff')
  c.header('cache-control', 'private, no-store')
}

async function isOurs(env: Env, content: string, sig: string): Promise<boolean> {
  for (const key of mediaKeys(env)) if (await hmacMatches(await textKey(key), content, sig)) return true
  return false
}

/**
 * Parses and verifies the signed URL of the request. Throws 403 if it is forged or expired, or if its sign-in has
 * ended.
 */
export async function readAddress<Kind extends SignedKind>(
  c: Context<AppEnv>,
  kind: Kind,
  id: string,
  now: number,
): Promise<SignedAddress<Kind>> {
  const { DB, TICKET_KEY } = c.env
  const { p = '', exp = '', sig = '' } = c.req.query()
  const genuine = await isOurs(c.env, mediaContent(kind, id, p, Number(exp)), sig)
  const grant = genuine ? await readMediaToken(TICKET_KEY, p) : null
  if (grant === null || !/^\d{13}$/.test(exp)) throw forbidden('The address is not valid.')
  if (Number(exp) <= now) throw forbidden('The address is over.')
  const user = await readSignIn(DB, grant, now)
  if (user === null) throw forbidden('The address is over: whoever it was made for has signed out.')
  return { kind, id, user, stands: async () => (await readSignIn(DB, grant, Date.now())) !== null }
}
