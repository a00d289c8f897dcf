import type { R2Object } from '@cloudflare/workers-types'
import type { Context } from 'hono'
import { isMediaKind, type MediaKind } from '../../contract/media/media-urls.ts'
import type { AppEnv, Env } from '../env.ts'
import { notFound } from '../platform/api-error.ts'
import { queryAllHomes } from '../billing/plans/query-all-homes.ts'
import { allowPortal, readAddress, type SignedAddress } from './verify-signed-url.ts'
import { cutOff } from './stop-on-sign-out.ts'
import { askedRange } from './byte-range.ts'

type Address = SignedAddress<MediaKind>

/**
 * Serves a clip, thumbnail or last picture by its signed URL: whole, a range (206, 416), or 304 if the client has it.
 * Throws 403 if the URL is forged or expired, 404 if the account of the URL may see no such object. A sign-out ends the
 * transfer.
 */
export async function serveMedia(c: Context<AppEnv>): Promise<Response> {
  allowPortal(c)
  const now = Date.now()
  const { kind = '', id = '' } = c.req.param()
  if (!isMediaKind(kind)) throw notFound()
  const address = await readAddress(c, kind, id, now)
  const key = await findObjectKey(c.env, address, now)
  const found = key && (await c.env.MEDIA.head(key))
  if (!found) throw notFound()
  c.header('access-control-expose-headers', 'accept-ranges, content-length, content-range, etag')
  c.header('accept-ranges', 'bytes')
  c.header('etag', found.httpEtag)
  if (c.req.header('if-none-match') === found.httpEtag) return c.body(null, 304)
  return answerBytes(c, found, address.stands)
}

/**
 * Returns the storage key of the object. Queries only homes that the account still sees, so a signed URL gives no
 * access to a camera that the account has lost.
 */
async function findObjectKey(env: Env, { kind, id, user }: Address, now: number): Promise<string | null> {
  const keys = await queryAllHomes(env, { userId: user, now }, (stub, asker, { home_id }) =>
    stub.mediaObject(home_id, asker, { kind, id }),
  )
  return keys.find((key) => key !== null) ?? null
}

async function answerBytes(c: Context<AppEnv>, found: R2Object, stands: Address['stands']): Promise<Response> {
  const range = askedRange(c, found.size, found.httpEtag)
  if (range === null) return c.body(null, 416)
  const { from, to, status } = range
  c.header('content-type', found.httpMetadata?.contentType ?? 'application/octet-stream')
  if (c.req.method === 'HEAD') return c.body(null, status)
  const object = await c.env.MEDIA.get(found.key, { range: { offset: from, length: to - from + 1 } })
  if (!object) throw notFound()
  const exact = new FixedLengthStream(to - from + 1)
  const source = object.body as unknown as ReadableStream<Uint8Array>
  const sending = source.pipeThrough(cutOff(stands, Date.now)).pipeTo(exact.writable as WritableStream<Uint8Array>)
  // The pipe rejects when the client disconnects or its account signs out.
  c.executionCtx.waitUntil(sending.catch(() => undefined))
  return c.body(exact.readable as unknown as ReadableStream, status)
}
