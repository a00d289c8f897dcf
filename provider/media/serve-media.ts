import type { R2Object, R2ObjectBody } from '@cloudflare/workers-types'
import type { Context } from 'hono'
import { isMediaKind, type MediaKind } from '../../contract/media/media-urls.ts'
import type { AppEnv, Env } from '../env.ts'
import type { StoredMedia } from '../events/thumbnail-rows.ts'
import { notFound } from '../platform/api-error.ts'
import { readAccountAccess } from '../homes/members/account-access.ts'
import { queryAllHomes } from '../billing/plans/query-all-homes.ts'
import { setPortalCorsHeaders, verifySignedUrl, type VerifiedSignedUrl } from './verify-signed-url.ts'
import { stopOnLostAccess } from './stop-on-lost-access.ts'
import { negotiateRange, toStorageRange } from './byte-range.ts'

type VerifiedMediaUrl = VerifiedSignedUrl<MediaKind>

/**
 * Serves a clip, thumbnail or last picture by its signed URL. Throws 403 if the URL is forged or expired, and 404 if
 * the account may not see the object. Losing the access ends the transfer.
 */
export async function serveMedia(c: Context<AppEnv>): Promise<Response> {
  setPortalCorsHeaders(c)
  const now = Date.now()
  const { kind = '', id = '' } = c.req.param()
  if (!isMediaKind(kind)) throw notFound()
  const signedUrl = await verifySignedUrl(c, kind, id, now)
  const media = await findMedia(c.env, signedUrl, now)
  if (media === null) throw notFound()
  c.header('access-control-expose-headers', 'accept-ranges, content-length, content-range, etag')
  c.header('accept-ranges', 'bytes')
  if ('jpeg' in media) return sendThumbnail(c, id, media.jpeg)
  if (media.lastBytes !== null) return sendThumbnail(c, id, await readLastBytes(c.env, media.object, media.lastBytes))
  const storedObject = await readObject(c, media.object)
  if (!storedObject) throw notFound()
  c.header('etag', storedObject.httpEtag)
  if (c.req.header('if-none-match') === storedObject.httpEtag) return c.body(null, 304)
  const hasAccess = async () =>
    (await signedUrl.isSignInValid()) && (await findMedia(c.env, signedUrl, Date.now())) !== null
  return sendBytes(c, storedObject, hasAccess)
}

/**
 * Reads the requested bytes of the object in one round trip. Reads only the metadata if the response may have no body,
 * or if the range depends on the metadata.
 */
async function readObject(c: Context<AppEnv>, key: string): Promise<R2Object | R2ObjectBody | null> {
  const isConditional = c.req.header('if-none-match') !== undefined || c.req.header('if-range') !== undefined
  if (c.req.method === 'HEAD' || isConditional) return c.env.MEDIA.head(key)
  const range = toStorageRange(c.req.header('range'))
  if (range === null) return c.req.header('range') === undefined ? c.env.MEDIA.get(key) : c.env.MEDIA.head(key)
  // Storage rejects a range beyond the end of the object.
  return c.env.MEDIA.get(key, { range }).catch(() => c.env.MEDIA.head(key))
}

/** Returns where the bytes are stored. Queries only homes that the account may still see, so that lost access counts. */
async function findMedia(env: Env, { kind, id, user }: VerifiedMediaUrl, now: number): Promise<StoredMedia | null> {
  const access = await readAccountAccess(env, user)
  /* The RPC result type turns the union into an intersection, so restore it. */
  const found = await queryAllHomes(
    env,
    access,
    now,
    async (stub, requester, { home_id }) =>
      (await stub.mediaObject(home_id, requester, { kind, id })) as StoredMedia | null,
  )
  return found.find((media) => media !== null) ?? null
}

async function readLastBytes({ MEDIA }: Env, key: string, length: number): Promise<ArrayBuffer> {
  const object = await MEDIA.get(key, { range: { suffix: length } })
  if (!object) throw notFound()
  // eslint-disable-next-line no-restricted-syntax -- the end of our own object, at most `EARLY_THUMBNAIL_MAX_BYTES`
  return object.arrayBuffer()
}

/** Sends a thumbnail without an object of its own. The tag stays valid, because such a thumbnail never changes. */
function sendThumbnail(c: Context<AppEnv>, eventId: string, bytes: ArrayBuffer): Response {
  const etag = `"${eventId}"`
  c.header('etag', etag)
  if (c.req.header('if-none-match') === etag) return c.body(null, 304)
  const range = negotiateRange(c, bytes.byteLength, etag)
  if (range === null) return c.body(null, 416)
  c.header('content-type', 'image/jpeg')
  if (c.req.method === 'HEAD') return c.body(null, range.status)
  return c.body(new Uint8Array(bytes).subarray(range.from, range.to + 1), range.status)
}

async function sendBytes(
  c: Context<AppEnv>,
  storedObject: R2Object | R2ObjectBody,
  hasAccess: () => Promise<boolean>,
): Promise<Response> {
  const range = negotiateRange(c, storedObject.size, storedObject.httpEtag)
  if (range === null) return c.body(null, 416)
  const { from, to, status } = range
  c.header('content-type', storedObject.httpMetadata?.contentType ?? 'application/octet-stream')
  if (c.req.method === 'HEAD') return c.body(null, status)
  const object =
    'body' in storedObject
      ? storedObject
      : await c.env.MEDIA.get(storedObject.key, { range: { offset: from, length: to - from + 1 } })
  if (!object) throw notFound()
  const fixedLength = new FixedLengthStream(to - from + 1)
  const source = object.body as unknown as ReadableStream<Uint8Array>
  const sending = source
    .pipeThrough(stopOnLostAccess(hasAccess, Date.now))
    .pipeTo(fixedLength.writable as WritableStream<Uint8Array>)
  // Ignore the rejection: it means that the client disconnected or the access has ended.
  c.executionCtx.waitUntil(sending.catch(() => undefined))
  return c.body(fixedLength.readable as unknown as ReadableStream, status)
}
