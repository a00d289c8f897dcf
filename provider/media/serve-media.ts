import type { R2Object } from '@cloudflare/workers-types'
import type { Context } from 'hono'
import { isMediaKind, mediaContent, type MediaKind } from '../../contract/media.ts'
import type { AppEnv, Env } from '../env.ts'
import { forbidden, notFound } from '../http/refusal.ts'
import { hmacMatches, textKey } from '../home/hmac.ts'
import { homeStub, seenHomes } from '../home/lookup.ts'
import { parseRange } from './range.ts'

interface Address {
  kind: MediaKind
  id: string
  user: string
  /** ms UTC */
  exp: number
}

/**
 * A clip or picture by its signed address: whole, a range (206, 416), or 304 when the page has it. 403 when the address is
 * forged, over, or of an account that may not see the camera; 404 when nothing is stored.
 */
export async function serveMedia(c: Context<AppEnv>): Promise<Response> {
  c.header('access-control-allow-origin', c.env.PORTAL_ORIGIN)
  c.header('vary', 'origin')
  c.header('cross-origin-resource-policy', 'cross-origin')
  c.header('x-content-type-options', 'nosniff')
  const now = Date.now()
  const address = await readAddress(c, now)
  const key = await objectOf(c.env, address)
  const found = key && (await c.env.MEDIA.head(key))
  if (!found) throw notFound()
  c.header('access-control-expose-headers', 'accept-ranges, content-length, content-range, etag')
  c.header('accept-ranges', 'bytes')
  c.header('etag', found.httpEtag)
  c.header('cache-control', cacheControl(address, now))
  if (c.req.header('if-none-match') === found.httpEtag) return c.body(null, 304)
  return answerBytes(c, found)
}

async function readAddress(c: Context<AppEnv>, now: number): Promise<Address> {
  const { kind = '', id = '' } = c.req.param()
  const { u: user = '', exp = '', sig = '' } = c.req.query()
  if (!isMediaKind(kind)) throw notFound()
  const genuine = await hmacMatches(await textKey(c.env.MEDIA_KEY), mediaContent(kind, id, user, Number(exp)), sig)
  if (!genuine || !/^\d{13}$/.test(exp)) throw forbidden('The address is not valid.')
  if (Number(exp) <= now) throw forbidden('The address is over.')
  return { kind, id, user, exp: Number(exp) }
}

/** Only homes of which the account sees anything are asked, so an address never reaches a camera that it has lost. */
async function objectOf(env: Env, { kind, id, user }: Address): Promise<string | null> {
  const homes = await seenHomes(env, user)
  const keys = await Promise.all(
    homes.map(({ home_id, paid }) => homeStub(env, home_id).mediaObject(home_id, user, { kind, id, free: !paid })),
  )
  return keys.find((key) => key !== null) ?? null
}

/** A clip is never kept; the picture of an event does not change; the last picture of a camera does. */
function cacheControl({ kind, exp }: Address, now: number): string {
  if (kind === 'clip') return 'private, no-store'
  return kind === 'thumb' ? `private, max-age=${Math.floor((exp - now) / 1000)}, immutable` : 'private, no-cache'
}

async function answerBytes(c: Context<AppEnv>, found: R2Object): Promise<Response> {
  const { size } = found
  const ifRange = c.req.header('if-range')
  const range = ifRange === undefined || ifRange === found.httpEtag ? parseRange(c.req.header('range'), size) : null
  if (range === 'unsatisfiable') {
    c.header('content-range', `bytes */${size}`)
    return c.body(null, 416)
  }
  const { from, to } = range ?? { from: 0, to: size - 1 }
  c.header('content-type', found.httpMetadata?.contentType ?? 'application/octet-stream')
  c.header('content-length', String(to - from + 1))
  if (range) c.header('content-range', `bytes ${from}-${to}/${size}`)
  const status = range ? 206 : 200
  if (c.req.method === 'HEAD') return c.body(null, status)
  const object = await c.env.MEDIA.get(found.key, { range: { offset: from, length: to - from + 1 } })
  if (!object) throw notFound()
  return c.body(object.body as unknown as ReadableStream, status)
}
