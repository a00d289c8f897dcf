import { Hono } from 'hono'
import * as v from 'valibot'
import { deviceId, id as eventId } from '../../contract/wire/envelope.ts'
import { isMediaKind, formatMediaUrl, formatSignedContent, getMediaExpiry } from '../../contract/media/media-urls.ts'
import { getSessionStub } from '../lib/auth/session-access.ts'
import { EdgeError, createNotFoundError, createProviderDownError, createSignedOutError } from '../lib/edge-error.ts'
import { computeHmacHex } from '../lib/byte-encoding.ts'
import type { EdgeContext, EdgeEnv } from '../lib/edge-context.ts'
import { readSessionId } from '../lib/auth/session-cookies.ts'
import { fetchImage } from '../lib/proxy/fetch-image.ts'

/**
 * `/m/{thumb|clip|last}/{id}`: an image, or a redirect to the short-lived signed URL of a clip at the provider
 * (contract/media/media-urls.ts). Requests that accept only JSON get the URL as JSON.
 */
export const mediaRoutes = new Hono<EdgeEnv>().get('/:kind/:id', async (c) => {
  const { kind, id } = c.req.param()
  if (!isMediaKind(kind) || !v.is(kind === 'last' ? deviceId : eventId, id)) throw createNotFoundError()
  const mediaToken = await requireMediaToken(c)
  const { PROVIDER_ORIGIN, MEDIA_KEY } = c.var.settings
  const exp = getMediaExpiry(kind, Date.now())
  const sig = computeHmacHex(MEDIA_KEY, formatSignedContent(kind, id, mediaToken, exp))
  const signedUrl = formatMediaUrl(PROVIDER_ORIGIN, kind, id, { p: mediaToken, exp, sig })
  if (kind !== 'clip') return fetchImage(c, signedUrl, kind === 'thumb')
  c.header('cache-control', 'private, no-store')
  // The portal's player asks for the URL itself, because a browser's main thread would have to follow the redirect.
  if (c.req.header('accept') === 'application/json') return c.json({ url: signedUrl })
  return c.redirect(signedUrl, 302)
})

/**
 * Returns the media token of the request's session. Throws 401 without a session, 403 if the media host rejects the
 * session's tokens, and 503 if the token cannot be fetched.
 */
async function requireMediaToken(c: EdgeContext): Promise<string> {
  const id = readSessionId(c)
  const tokenResult = id === null ? ({ kind: 'ended' } as const) : await getSessionStub(c, id).issueMediaToken()
  if (tokenResult.kind === 'ended') throw createSignedOutError()
  if (tokenResult.kind === 'down') throw createProviderDownError()
  if (tokenResult.kind === 'pass') return tokenResult.pass
  throw new EdgeError(403, 'Your session with the camera service has ended. Log in again to see your cameras.')
}
