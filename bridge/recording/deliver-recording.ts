import { readFileBytes } from '../runtime/durable-files.ts'
import { READ_BYTES_MAX } from '../limits.ts'
import { log } from '../runtime/log.ts'
import { ProviderError, type ProviderClient } from '../uplink/provider-client.ts'
import type { RecordingQueue } from './recording-queue.ts'
import { uploadObjects } from '../uplink/upload-objects.ts'
import type { RecordedClip } from './recorded-clip.ts'

const NO_MEDIA = { clip_object: null, thumb_object: null }

/** Posts the event with its thumbnail before its clip is uploaded. Idempotent. Throws ProviderError. */
export async function postEarlyEvent(
  client: ProviderClient,
  queue: RecordingQueue,
  entry: RecordedClip,
): Promise<void> {
  const { event } = entry
  const thumbnailBytes = entry.thumb ? await readIfExists(queue.getFilePath(event.event_id, 'jpg')) : undefined
  const [thumb_object = null] = thumbnailBytes
    ? await uploadObjects(client, event.device_id, [{ kind: 'thumb', name: event.event_id, bytes: thumbnailBytes }])
    : []
  const clip_state = entry.clip ? 'uploading' : 'none'
  await client.postEvent({ ...event, ...NO_MEDIA, clip_state, thumb_object })
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
  if (!isListed) await postEarlyEvent(client, queue, entry)
  const bytes = entry.clip ? await readIfExists(queue.getFilePath(name, 'mp4')) : undefined
  if (entry.clip) await deliverMedia(client, queue, { ...entry, clip: entry.clip }, bytes)
  log(bytes ? `Recorded "${title}" (${name}).` : `Added "${title}" (${name}) without a clip.`)
}

async function deliverMedia(
  client: ProviderClient,
  queue: RecordingQueue,
  entry: RecordedClip & { readonly clip: NonNullable<RecordedClip['clip']> },
  bytes: Buffer | undefined,
): Promise<void> {
  const { event_id, device_id } = entry.event
  const [clip_object = null] = bytes
    ? await uploadObjects(client, device_id, [{ kind: 'clip', name: event_id, bytes }])
    : []
  const { begin, end } = entry.clip
  const resource = { begin_time: begin, end_time: end, resource_version: 1, resource_type: 's3' } as const
  const event_resources = clip_object ? [resource] : []
  const post = () => client.postClip({ device_id, event_id, clip_object, thumb_object: null, event_resources })
  try {
    await post()
  } catch (error) {
    if (!(error instanceof ProviderError) || error.status !== 404) throw error
    // The provider no longer has the posted event, so post it again.
    await postEarlyEvent(client, queue, entry)
    await post()
  }
}

function readIfExists(path: string): Promise<Buffer | undefined> {
  return readFileBytes(path, READ_BYTES_MAX.recording).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
