import { crc32 } from 'node:zlib'
import { EXPORT_BYTES_MAX, type exportClips } from '../../../contract/events/timeline.ts'
import * as v from 'valibot'
import { recordHomeActivity } from '../../accounts/activity/record-activity.ts'
import type { Env } from '../../env.ts'
import { sha256Hex } from '../../platform/crypto/hmac.ts'
import { createSignedUrl } from '../../platform/media-urls/signed-url.ts'
import type { AccountAccess } from '../../homes/members/account-access.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import { queryAllHomes } from '../../billing/plans/query-all-homes.ts'
import { badRequest, notFound } from '../../platform/api-error.ts'
import type { Caller } from '../../platform/auth/verify-token.ts'
import type { ExportClip } from './clip-export-rows.ts'
import { makeUniqueFileNames } from './archive-file-names.ts'
import { buildZipLayout, getPartLength } from './zip-layout.ts'

export const exportEntry = v.object({
  /** Home of the clip; '' in an export that was stored before this field existed. */
  home_id: v.optional(v.string(), ''),
  event_id: v.string(),
  object: v.string(),
  name: v.string(),
  bytes: v.number(),
  crc: v.number(),
  at: v.number(),
  /** Content of a generated file, which is not in storage; null for a clip. */
  text: v.optional(v.nullable(v.string()), null),
})
export type ExportEntry = Readonly<v.InferOutput<typeof exportEntry>>

/** Number of clip bytes after which a preparation call reads no further clip. Reading them takes a few seconds. */
const MAX_BYTES_PER_CALL = 128 * 1024 * 1024
/** Maximum clips per preparation call, because each clip costs two subrequests. */
const MAX_CLIPS_PER_CALL = 300

type ExportFiles = v.InferOutput<typeof exportClips.request>['files']
type ExportResult = v.InferOutput<typeof exportClips.response>['data']
export type HomeExportClip = ExportClip & { home_id: string }

/**
 * Prepares an archive of the clips. Each call processes some of the clips, and the last call returns the archive URL.
 */
export async function handleClipExport(
  env: Env,
  { account, access }: { readonly account: Caller; readonly access: AccountAccess },
  files: ExportFiles,
  now: number,
): Promise<ExportResult> {
  const names = new Map(files.map(({ event_id, name }) => [event_id, name]))
  const ids = [...names.keys()]
  const lists = await queryAllHomes(env, access, now, async (stub, requester, { home_id }) => ({
    home_id,
    clips: await stub.exportClips(requester, ids),
  }))
  const clips = lists.flatMap(({ home_id, clips: own }) => own.map((clip): HomeExportClip => ({ ...clip, home_id })))
  const found = await loadClipSizes(env, clips)
  if (found.length === 0) throw notFound()
  const bytes = found.reduce((sum, clip) => sum + (clip.clip_bytes ?? 0), 0)
  if (bytes > EXPORT_BYTES_MAX) throw badRequest('These clips are too large for one file. Choose fewer clips.')
  const ready = await computeClipChecksums(env, found)
  if (ready < found.length) return { state: 'preparing', ready, total: found.length }
  const order = new Map(ids.map((id, i) => [id, i]))
  found.sort((a, b) => (order.get(a.event_id) ?? 0) - (order.get(b.event_id) ?? 0))
  const fileNames = makeUniqueFileNames(found.map(({ event_id }) => names.get(event_id) ?? event_id))
  const entries = found.map((clip, i): ExportEntry => ({
    home_id: clip.home_id,
    event_id: clip.event_id,
    object: clip.clip_object,
    name: fileNames[i] ?? clip.event_id,
    bytes: clip.clip_bytes ?? 0,
    crc: clip.clip_crc ?? 0,
    at: clip.event_ts,
    text: null,
  }))
  const missing = ids.filter((id) => !found.some((clip) => clip.event_id === id))
  const { state, url, bytes: length } = await storeArchive(env, account, lists[0]?.home_id ?? '', entries, now)
  return { state, url, bytes: length, files: entries.length, missing }
}

/**
 * Returns the clips with their lengths. Reads unknown lengths from storage, and omits the clips that are no longer
 * stored.
 */
export async function loadClipSizes(env: Env, clips: readonly HomeExportClip[]): Promise<HomeExportClip[]> {
  const clipsWithSize = await Promise.all(
    clips.map(async (clip) => {
      if (clip.clip_bytes !== null) return clip
      const object = await env.MEDIA.head(clip.clip_object)
      return object && { ...clip, clip_bytes: object.size }
    }),
  )
  return clipsWithSize.filter((clip) => clip !== null)
}

/**
 * Computes missing CRC-32 values up to the limits of one call, and stores them in `clips` and in the homes. Returns the
 * number of events whose clip now has a CRC-32. Several events can share a clip.
 */
export async function computeClipChecksums(env: Env, clips: readonly HomeExportClip[]): Promise<number> {
  const checksums = new Map<string, { crc: number; size: number }>()
  let bytesLeft = MAX_BYTES_PER_CALL
  for (const clip of clips) {
    if (clip.clip_crc !== null) continue
    const { clip_object } = clip
    let checksum = checksums.get(clip_object)
    if (!checksum) {
      if (bytesLeft <= 0 || checksums.size === MAX_CLIPS_PER_CALL) break
      checksum = await readClip(env, clip_object)
      checksums.set(clip_object, checksum)
      bytesLeft -= checksum.size
      const clipFacts = { clip_object, clip_bytes: checksum.size, clip_crc: checksum.crc }
      await homeStub(env, clip.home_id).recordClipChecksums([clipFacts])
    }
    clip.clip_crc = checksum.crc
    clip.clip_bytes = checksum.size
  }
  return clips.filter((clip) => clip.clip_crc !== null).length
}

async function readClip(env: Env, key: string): Promise<{ crc: number; size: number }> {
  const object = await env.MEDIA.get(key)
  if (!object) throw notFound()
  let crc = 0
  // eslint-disable-next-line no-restricted-syntax -- our own storage, one piece after the other
  for await (const chunk of object.body as unknown as AsyncIterable<Uint8Array>) crc = crc32(chunk, crc)
  return { crc, size: object.size }
}

/**
 * Records the export in the activity log of each home, at most once an hour. Repeated requests and range requests
 * therefore count once.
 */
export function recordExport(
  env: Env,
  userId: string,
  exportId: string,
  entries: readonly ExportEntry[],
  now: number,
): void {
  for (const home of new Set(entries.map(({ home_id }) => home_id).filter((id) => id !== ''))) {
    const homeEntries = entries.filter(({ home_id }) => home_id === home)
    const times = homeEntries.map(({ at }) => at)
    const value = `${Math.min(...times)} ${Math.max(...times)}`
    const bytes = homeEntries.reduce((sum, entry) => sum + entry.bytes, 0)
    const once = { same: `${userId} ${exportId}`, part: exportId, isCounted: true }
    recordHomeActivity(
      env,
      home,
      { kind: 'export', who: userId, value, count: homeEntries.length, bytes, ...once },
      now,
    )
  }
}

/**
 * Stores the entries of an archive and returns its URL. The archive id is a hash of the entries, so equal entries give
 * the same id.
 */
export async function storeArchive(
  env: Env,
  caller: Caller,
  homeId: string,
  entries: readonly ExportEntry[],
  now: number,
) {
  const text = JSON.stringify(entries)
  const exportId = (await sha256Hex(new TextEncoder().encode(text))).slice(0, 40)
  await homeStub(env, homeId).putExport(exportId, caller.userId, text, now)
  recordExport(env, caller.userId, exportId, entries, now)
  return { state: 'ready' as const, exportId, ...(await signArchiveUrl(env, caller, exportId, entries, now)) }
}

/** Returns the signed URL of a stored archive, valid for one hour, and the archive's length in bytes. */
export async function signArchiveUrl(
  env: Env,
  caller: Caller,
  exportId: string,
  entries: readonly ExportEntry[],
  now: number,
) {
  const bytes = buildZipLayout(entries).reduce((sum, part) => sum + getPartLength(part), 0)
  return { url: await createSignedUrl(env, 'zip', exportId, caller.grantId, now), bytes }
}
