import { Hono } from 'hono'
import * as v from 'valibot'
import { deviceId, id as eventId } from '../../contract/envelope.ts'
import { isMediaKind, mediaContent, mediaExpiry } from '../../contract/media.ts'
import { sessionOf } from '../lib/access.ts'
import { notFound, signedOut } from '../lib/answers.ts'
import { hmacHex } from '../lib/bytes.ts'
import type { EdgeEnv } from '../lib/context.ts'

/** A cached address is dropped this long before it ends, so that nobody follows it too late. */
const MARGIN_MS = 60_000

/** `/m/{thumb|clip|last}/{id}`: a short-lived signed address at the provider (contract/media.ts). */
export const media = new Hono<EdgeEnv>().get('/:kind/:id', async (c) => {
  const { kind, id } = c.req.param()
  if (!isMediaKind(kind) || !v.is(kind === 'last' ? deviceId : eventId, id)) throw notFound()
  const access = await sessionOf(c)
  if (!access) throw signedOut()
  const { PROVIDER_ORIGIN, MEDIA_KEY } = c.var.settings
  const { userId } = access.view
  const now = Date.now()
  const exp = mediaExpiry(kind, now)
  const sig = hmacHex(MEDIA_KEY, mediaContent(kind, id, userId, exp))
  const query = new URLSearchParams({ u: userId, exp: String(exp), sig })
  if (kind !== 'clip') {
    c.header('cache-control', `private, max-age=${Math.max(0, Math.floor((exp - now - MARGIN_MS) / 1000))}`)
    c.header('vary', 'Cookie')
  }
  return c.redirect(`${PROVIDER_ORIGIN}/media/${kind}/${id}?${query.toString()}`, 302)
})
