import { EARLY_THUMBNAIL_MAX_BYTES, UPLOAD_MAX_BYTES } from '../../contract/bridge/bridge-protocol.ts'
import { readFileBytes } from '../runtime/durable-files.ts'
import { READ_BYTES_MAX } from '../limits.ts'
import { appendToMediaData } from '../media/mp4/boxes.ts'
import { log } from '../runtime/log.ts'
import { ProviderError, type ProviderClient, type UploadGrant } from '../uplink/provider-client.ts'
import type { RecordingQueue } from './recording-queue.ts'
import { uploadObjects } from '../uplink/upload-objects.ts'
import type { RecordedClip } from './recorded-clip.ts'

const NO_MEDIA = { clip_object: null, thumb_object: null }

/** Object that stores a clip. `thumb_length`: length of the thumbnail at its end; undefined if it has none. */
interface ClipObject {
  readonly bytes: Buffer
  readonly thumb_length: number | undefined
}

/**
 * Posts the event with its thumbnail before its clip is uploaded. Idempotent. Returns an upload grant for `clipObject`,
 * or null if it must be requested separately. Throws ProviderError.
 */
export async function postEarlyEvent(
  client: ProviderClient,
  queue: RecordingQueue,
  entry: RecordedClip,
  clipObject?: ClipObject,
): Promise<UploadGrant | null> {
  const { event } = entry
  const thumbnail = await readThumbnail(queue, entry)
  const clip_state = entry.clip ? 'uploading' : 'none'
  if (thumbnail && entry.clip && client.storesThumbnails && isShort(thumbnail)) {
    const jpeg = thumbnail.toString('base64')
    const clip_length = clipObject?.bytes.length
    return client.postEvent({ ...event, ...NO_MEDIA, clip_state }, { jpeg, ...(clip_length && { clip_length }) })
  }
  const [thumb_object = null] = thumbnail
    ? await uploadObjects(client, event.device_id, [{ kind: 'thumb', name: event.event_id, bytes: thumbnail }])
    : []
  return client.postEvent({ ...event, ...NO_MEDIA, clip_state, thumb_object })
}

/**
 * Uploads the clip, if there is one, and attaches the clip to the event. Posts the event first, unless `isListed` is
 * true. Idempotent. Throws ProviderError.
 */
export async function deliverClip(
  client: ProviderClient,
  queue: RecordingQueue,
  entry: RecordedClip,
  isListed = false,
): Promise<void> {
  const { event_id: name, title } = entry.event
  const clipObject = entry.clip ? await readClipObject(queue, entry) : undefined
  const grant = isListed ? null : await postEarlyEvent(client, queue, entry, clipObject)
  if (entry.clip) await deliverMedia(client, queue, { ...entry, clip: entry.clip }, { clipObject, grant })
  log(clipObject ? `Recorded "${title}" (${name}).` : `Added "${title}" (${name}) without a clip.`)
}

async function deliverMedia(
  client: ProviderClient,
  queue: RecordingQueue,
  entry: RecordedClip & { readonly clip: NonNullable<RecordedClip['clip']> },
  { clipObject, grant }: { readonly clipObject: ClipObject | undefined; readonly grant: UploadGrant | null },
): Promise<void> {
  const { event_id, device_id } = entry.event
  const clip_object = clipObject ? await uploadClip(client, entry, clipObject.bytes, grant) : null
  const { begin, end } = entry.clip
  const resource = { begin_time: begin, end_time: end, resource_version: 1, resource_type: 's3' } as const
  const media = clipObject
    ? { clip_object, thumb_length: clipObject.thumb_length, event_resources: [resource] }
    : { clip_object, event_resources: [] }
  const post = () => client.postClip({ device_id, event_id, thumb_object: null, ...media })
  try {
    await post()
  } catch (error) {
    if (!(error instanceof ProviderError) || error.status !== 404) throw error
    // The provider no longer has the posted event, so post it again.
    await postEarlyEvent(client, queue, entry)
    await post()
  }
}

/** Uploads a clip unless the provider has it, and returns its `object` name. Requests a grant if `grant` is null. */
async function uploadClip(
  client: ProviderClient,
  { event: { device_id, event_id } }: RecordedClip,
  bytes: Buffer,
  grant: UploadGrant | null,
): Promise<string | null> {
  if (grant === null) {
    const [object = null] = await uploadObjects(client, device_id, [{ kind: 'clip', name: event_id, bytes }])
    return object
  }
  await client.uploadObject(grant, 'video/mp4', bytes)
  return grant.object
}

/**
 * Returns the object for a clip: the clip and, in the same file, its thumbnail. The provider can then delete its own copy
 * of the thumbnail. Depends only on the files of the recording, because a retry compares the length of the object.
 */
async function readClipObject(queue: RecordingQueue, entry: RecordedClip): Promise<ClipObject | undefined> {
  const clip = await readIfExists(queue.getFilePath(entry.event.event_id, 'mp4'))
  const thumbnail = clip && (await readThumbnail(queue, entry))
  if (!clip) return undefined
  const fits = thumbnail && isShort(thumbnail) && clip.length + thumbnail.length <= UPLOAD_MAX_BYTES
  const bytes = fits ? appendToMediaData(clip, thumbnail) : null
  return bytes ? { bytes, thumb_length: thumbnail?.length } : { bytes: clip, thumb_length: undefined }
}

const isShort = (thumbnail: Buffer) => thumbnail.length <= EARLY_THUMBNAIL_MAX_BYTES

const readThumbnail = async (queue: RecordingQueue, { event, thumb }: RecordedClip): Promise<Buffer | undefined> =>
  thumb ? readIfExists(queue.getFilePath(event.event_id, 'jpg')) : undefined

function readIfExists(path: string): Promise<Buffer | undefined> {
  return readFileBytes(path, READ_BYTES_MAX.recording).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
