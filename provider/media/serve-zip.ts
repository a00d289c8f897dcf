import type { R2Bucket } from '@cloudflare/workers-types'
import type { Context } from 'hono'
import * as v from 'valibot'
import { parseJsonAs } from '../../contract/wire/lenient-parse.ts'
import type { AppEnv, Env } from '../env.ts'
import { exportEntry, recordExport, type ExportEntry } from '../events/export/clip-export-handlers.ts'
import { buildZipLayout, getPartLength, type ZipPart } from '../events/export/zip-layout.ts'
import { readAccountAccess } from '../homes/members/account-access.ts'
import { queryAllHomes } from '../billing/plans/query-all-homes.ts'
import { notFound, ApiError } from '../platform/api-error.ts'
import { setPortalCorsHeaders, verifySignedUrl } from './verify-signed-url.ts'
import { stopOnLostAccess } from './stop-on-lost-access.ts'
import { negotiateRange, type ByteRange } from './byte-range.ts'

/**
 * Serves an archive of clips, or a byte range of it, by its signed URL. Throws 404 for an unknown or expired archive,
 * 410 if a clip was deleted or hidden. Losing the access ends the transfer.
 */
export async function serveZip(c: Context<AppEnv>): Promise<Response> {
  setPortalCorsHeaders(c)
  const { id = '' } = c.req.param()
  const now = Date.now()
  const { user, isSignInValid } = await verifySignedUrl(c, 'zip', id, now)
  const entries = await readExportEntries(c.env, user, id, now)
  const parts = buildZipLayout(entries)
  const size = parts.reduce((sum, part) => sum + getPartLength(part), 0)
  const etag = `"${id}"`
  c.header('access-control-expose-headers', 'accept-ranges, content-length, content-range, etag')
  c.header('accept-ranges', 'bytes')
  c.header('etag', etag)
  const range = negotiateRange(c, size, etag)
  if (range === null) return c.body(null, 416)
  if (range.from === 0) recordExport(c.env, user, id, entries, now)
  c.header('content-type', 'application/zip')
  c.header('content-disposition', 'attachment; filename="Clips.zip"')
  if (c.req.method === 'HEAD') return c.body(null, range.status)
  const fixedLength = new FixedLengthStream(range.to - range.from + 1)
  const hasAccess = async () => (await isSignInValid()) && (await canReadEntries(c.env, user, entries, Date.now()))
  const cutoff = stopOnLostAccess(hasAccess, Date.now)
  const writable = fixedLength.writable as unknown as WritableStream<Uint8Array>
  c.executionCtx.waitUntil(cutoff.readable.pipeTo(writable).catch(() => undefined))
  c.executionCtx.waitUntil(writeRange(c.env.MEDIA, entries, parts, range, cutoff.writable))
  return c.body(fixedLength.readable as unknown as ReadableStream, range.status)
}

async function readExportEntries(env: Env, userId: string, id: string, now: number): Promise<ExportEntry[]> {
  const storedExports = await queryAllHomes(env, await readAccountAccess(env, userId), now, (stub) =>
    stub.readExport(id, userId),
  )
  const text = storedExports.find((entries) => entries !== null)
  const entries = parseJsonAs(v.array(exportEntry), text)
  if (entries === null) throw notFound()
  if (!(await canReadEntries(env, userId, entries, now)))
    throw new ApiError(410, 410, 'A clip in this download no longer exists. Start the download again.')
  return entries
}

/** Returns true if the account may see every clip of the archive. */
async function canReadEntries(
  env: Env,
  userId: string,
  entries: readonly ExportEntry[],
  now: number,
): Promise<boolean> {
  const clipEntries = entries.filter(({ text }) => text === null)
  const ids = clipEntries.map(({ event_id }) => event_id)
  const clips = await queryAllHomes(env, await readAccountAccess(env, userId), now, (stub, asker) =>
    stub.exportClips(asker, ids),
  )
  const visibleObjects = new Set(clips.flat().map(({ clip_object }) => clip_object))
  return clipEntries.every(({ object }) => visibleObjects.has(object))
}

async function writeRange(
  media: R2Bucket,
  entries: readonly ExportEntry[],
  parts: readonly ZipPart[],
  { from, to }: ByteRange,
  writable: WritableStream<Uint8Array>,
): Promise<void> {
  let at = 0
  try {
    for (const part of parts) {
      const [first, last] = [Math.max(from - at, 0), Math.min(to - at, getPartLength(part) - 1)]
      at += getPartLength(part)
      if (first > last) continue
      if ('made' in part) await writeBytes(writable, part.made.subarray(first, last + 1))
      else await writeFileRange(media, entries[part.file], { from: first, to: last }, writable)
    }
    await writable.close()
  } catch (error) {
    await writable.abort(error).catch(() => undefined)
  }
}

async function writeFileRange(
  media: R2Bucket,
  entry: ExportEntry | undefined,
  range: ByteRange,
  writable: WritableStream<Uint8Array>,
): Promise<void> {
  if (typeof entry?.text === 'string') {
    await writeBytes(writable, new TextEncoder().encode(entry.text).subarray(range.from, range.to + 1))
  } else await copyObjectRange(media, entry?.object ?? '', range, writable)
}

async function writeBytes(writable: WritableStream<Uint8Array>, bytes: Uint8Array): Promise<void> {
  const writer = writable.getWriter()
  await writer.write(bytes)
  writer.releaseLock()
}

async function copyObjectRange(
  media: R2Bucket,
  key: string,
  { from, to }: ByteRange,
  writable: WritableStream<Uint8Array>,
): Promise<void> {
  const object = await media.get(key, { range: { offset: from, length: to - from + 1 } })
  if (!object) throw new Error('A clip was deleted during the download.')
  await (object.body as unknown as ReadableStream<Uint8Array>).pipeTo(writable, { preventClose: true })
}
