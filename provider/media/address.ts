import type { Context } from 'hono'
import { mediaContent, type SignedKind } from '../../contract/media.ts'
import type { AppEnv } from '../env.ts'
import { hmacMatches, textKey } from '../base/hmac.ts'
import { forbidden } from '../base/refusal.ts'

/** What a signed address names. */
export interface SignedAddress<Kind extends SignedKind> {
  kind: Kind
  id: string
  user: string
  /** ms UTC */
  exp: number
}

/** Lets pages of the portal read the answer, as what it is sent as. */
export function allowPortal(c: Context<AppEnv>): void {
  c.header('access-control-allow-origin', c.env.PORTAL_ORIGIN)
  c.header('vary', 'origin')
  c.header('cross-origin-resource-policy', 'cross-origin')
  c.header('x-content-type-options', 'nosniff')
}

/** Reads and checks the address of the request. 403 when it is forged or over. */
export async function readAddress<Kind extends SignedKind>(
  c: Context<AppEnv>,
  kind: Kind,
  id: string,
  now: number,
): Promise<SignedAddress<Kind>> {
  const { u: user = '', exp = '', sig = '' } = c.req.query()
  const genuine = await hmacMatches(await textKey(c.env.MEDIA_KEY), mediaContent(kind, id, user, Number(exp)), sig)
  if (!genuine || !/^\d{13}$/.test(exp)) throw forbidden('The address is not valid.')
  if (Number(exp) <= now) throw forbidden('The address is over.')
  return { kind, id, user, exp: Number(exp) }
}
