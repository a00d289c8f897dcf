import { Hono } from 'hono'
import * as v from 'valibot'
import { deviceId, id as eventId } from '../../contract/wire/envelope.ts'
import {
  formatMediaUrl,
  formatSignedContent,
  getMediaExpiry,
  isMediaKind,
  type MediaKind,
  SIGNED_CLIPS_MAX,
} from '../../contract/media/media-urls.ts'
import { getSessionStub } from '../lib/auth/session-access.ts'
import { EdgeError, createNotFoundError, createProviderDownError, createSignedOutError } from '../lib/edge-error.ts'
import { computeHmacHex } from '../lib/byte-encoding.ts'
import type { EdgeContext, EdgeEnv } from '../lib/edge-context.ts'
import { readSessionId } from '../lib/auth/session-cookies.ts'
import { fetchImage } from '../lib/proxy/fetch-image.ts'

const UNCACHED = 'private, no-store'

/**
 * `/m/{thumb|clip|last}/{id}`: an image, or a redirect to the short-lived signed URL of a clip at the provider
 * (contract/media/media-urls.ts). `/m/clips/{id,id,…}`: the signed URLs of several clips as JSON, in the same order,
 * because a redirect costs the portal's player time.
 */
export const mediaRoutes = new Hono<EdgeEnv>()
  .get('/clips/:ids', async (c) => {
    const ids = c.req.param('ids').split(',')
    if (ids.length > SIGNED_CLIPS_MAX || !ids.every((id) => v.is(eventId, id))) throw createNotFoundError()
    const signUrl = await createUrlSigner(c)
    c.header('cache-control', UNCACHED)
    return c.json({ urls: ids.map((id) => signUrl('clip', id)) })
  })
  .get('/:kind/:id', async (c) => {
    const { kind, id } = c.req.param()
    if (!isMediaKind(kind) || !v.is(kind === 'last' ? deviceId : eventId, id)) throw createNotFoundError()
    const signedUrl = (await createUrlSigner(c))(kind, id)
    if (kind !== 'clip') return fetchImage(c, signedUrl, kind === 'thumb')
    c.header('cache-control', UNCACHED)
    return c.redirect(signedUrl, 302)
  })

/** Returns a function that signs media URLs for the session of the request. Throws like `requireMediaToken`. */
async function createUrlSigner(c: EdgeContext): Promise<(kind: MediaKind, id: string) => string> {
  const mediaToken = await requireMediaToken(c)
  const { PROVIDER_ORIGIN, MEDIA_KEY } = c.var.settings
  return (kind, id) => {
    const exp = getMediaExpiry(kind, Date.now())
    const sig = computeHmacHex(MEDIA_KEY, formatSignedContent(kind, id, mediaToken, exp))
    return formatMediaUrl(PROVIDER_ORIGIN, kind, id, { p: mediaToken, exp, sig })
  }
}

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
