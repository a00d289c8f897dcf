import {
  formatMediaUrl,
  formatSignedContent,
  getMediaExpiry,
  type SignedMediaKind,
} from '../../../contract/media/media-urls.ts'
import type { Env } from '../../env.ts'
import { signHmacHex, importTextKey } from '../crypto/hmac.ts'
import { createMediaToken } from './media-token.ts'

/**
 * Creates a signed URL (contract/media/media-urls.ts). It expires after the lifetime of `kind`, or when the sign-in of
 * `grantId` ends. `now`: ms UTC.
 */
export async function createSignedUrl(
  env: Env,
  kind: SignedMediaKind,
  id: string,
  grantId: string,
  now: number,
): Promise<string> {
  const [p, exp] = [await createMediaToken(env.TICKET_KEY, grantId), getMediaExpiry(kind, now)]
  const sig = await signHmacHex(await importTextKey(env.MEDIA_KEY), formatSignedContent(kind, id, p, exp))
  return formatMediaUrl(env.PROVIDER_ORIGIN, kind, id, { p, exp, sig })
}
