import type { R2Bucket } from '@cloudflare/workers-types'
import type { Context } from 'hono'
import { HLS_MEDIA_TYPE } from '../../contract/media/media-urls.ts'
import type { AppEnv, Env } from '../env.ts'
import { readAccountAccess } from '../homes/members/account-access.ts'
import { queryAllHomes } from '../billing/plans/query-all-homes.ts'
import { notFound, ApiError } from '../platform/api-error.ts'
import { setPortalCorsHeaders, verifySignedUrl } from './verify-signed-url.ts'
import {
  cutSegments,
  buildInitSegment,
  buildMediaSegment,
  getSegmentByteRange,
  type HlsSegment,
} from './hls-segments.ts'
import { decodeBoxes, readTracks, type Mp4Track } from './mp4-samples.ts'

/**
 * Number of bytes that are read first to find the `moov` box. Clips have this box at their start, so that playback can
 * start early.
 */
const INITIAL_READ_BYTES = 65_536
const MOOV_MAX_BYTES = 16 * 1024 * 1024

/**
 * Serves a clip as HLS: the playlist at its signed URL, and `init.mp4` and `{n}.m4s` below this URL. Players reload the
 * playlist of an uploading clip, because it has no end tag.
 */
export async function serveHls(c: Context<AppEnv>): Promise<Response> {
  setPortalCorsHeaders(c)
  const { id = '', part = '' } = c.req.param()
  const now = Date.now()
  const { user } = await verifySignedUrl(c, 'hls', id, now)
  const key = await findClipKey(c.env, user, id, now)
  if (key === null) {
    if (part !== '') throw notFound()
    return c.body(renderPlaylist(id, '', null), 200, { 'content-type': HLS_MEDIA_TYPE })
  }
  const tracks = await loadTracks(c.env.MEDIA, key)
  const segments = cutSegments(tracks)
  if (part === '')
    return c.body(renderPlaylist(id, new URL(c.req.url).search, segments), 200, { 'content-type': HLS_MEDIA_TYPE })
  if (part === 'init.mp4') return c.body(buildInitSegment(tracks), 200, { 'content-type': 'video/mp4' })
  const number = Number(/^(\d{1,4})\.m4s$/.exec(part)?.[1] ?? Number.NaN)
  const segment = segments[number]
  if (!segment) throw notFound()
  const { from, to } = getSegmentByteRange(segment)
  const bytes = await readObjectRange(c.env.MEDIA, key, from, to - from)
  return c.body(buildMediaSegment(segment, number, bytes), 200, { 'content-type': 'video/iso.segment' })
}

/**
 * Returns the storage key of the clip; null while the clip is uploading. Throws 404 if the account may not see the
 * clip, or if the event has no clip.
 */
async function findClipKey(env: Env, userId: string, eventId: string, now: number): Promise<string | null> {
  const found = await queryAllHomes(env, await readAccountAccess(env, userId), now, (stub, asker) =>
    stub.clipState(asker, eventId),
  )
  const clip = found.find((state) => state !== null)
  if (!clip || (clip.object === null && !clip.uploading)) throw notFound()
  return clip.object
}

async function loadTracks(media: R2Bucket, key: string): Promise<Mp4Track[]> {
  const head = await readObjectRange(media, key, 0, INITIAL_READ_BYTES)
  try {
    const moov = decodeBoxes(head).find((box) => box.type === 'moov')
    if (!moov || moov.end - moov.start > MOOV_MAX_BYTES)
      throw new RangeError('the moov box is too large or not near the start')
    const isComplete = moov.end <= head.length
    return readTracks(
      isComplete
        ? head.subarray(moov.start, moov.end)
        : await readObjectRange(media, key, moov.start, moov.end - moov.start),
    )
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ApiError(415, 415, 'This clip can’t be streamed.')
  }
}

async function readObjectRange(media: R2Bucket, key: string, offset: number, length: number): Promise<Uint8Array> {
  const object = await media.get(key, { range: { offset, length } })
  if (!object) throw notFound()
  // eslint-disable-next-line no-restricted-syntax -- a part of our own storage, of the length that was asked for
  return new Uint8Array(await object.arrayBuffer())
}

/**
 * Renders the playlist. If `segments` is null, the clip is still uploading, so the playlist is empty and has no end
 * tag.
 */
export function renderPlaylist(id: string, query: string, segments: readonly HlsSegment[] | null): string {
  const longest = Math.max(1, ...(segments ?? []).map(({ duration }) => Math.ceil(duration)))
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7', `#EXT-X-TARGETDURATION:${longest}`, '#EXT-X-MEDIA-SEQUENCE:0']
  if (segments === null) return [...lines, '#EXT-X-PLAYLIST-TYPE:EVENT', ''].join('\n')
  lines.push('#EXT-X-PLAYLIST-TYPE:EVENT', '#EXT-X-INDEPENDENT-SEGMENTS', `#EXT-X-MAP:URI="${id}/init.mp4${query}"`)
  for (const [i, { duration }] of segments.entries())
    lines.push(`#EXTINF:${duration.toFixed(5)},`, `${id}/${i}.m4s${query}`)
  return [...lines, '#EXT-X-ENDLIST', ''].join('\n')
}
