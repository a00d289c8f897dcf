import { mediaAddress, mediaContent, mediaExpiry, type SignedKind } from '../../../contract/media/media-urls.ts'
import type { Env } from '../../env.ts'
import { signHmacHex, textKey } from '../crypto/hmac.ts'
import { createMediaToken } from './media-token.ts'

/** Creates a signed URL for the grant `grantId` at `now`, ms UTC (contract/media/media-urls.ts). */
export async function signAddress(
  env: Env,
  kind: SignedKind,
  id: string,
  grantId: string,
  now: number,
): Promise<string> {
  const [p, exp] = [await createMediaToken(env.TICKET_KEY, grantId), mediaExpiry(kind, now)]
  const sig = await signHmacHex(await textKey(env.MEDIA_KEY), mediaContent(kind, id, p, exp))
  return mediaAddress(env.PROVIDER_ORIGIN, kind, id, { p, exp, sig })
}
