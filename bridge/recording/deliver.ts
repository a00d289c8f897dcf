import { readFile } from 'node:fs/promises'
import { log } from '../log.ts'
import { ProviderError, type ProviderClient } from '../uplink/provider-client.ts'
import type { RecordingQueue } from './queue.ts'
import { upload } from '../uplink/upload.ts'
import type { RecordedClip } from './recorded.ts'

const NOTHING = { clip_object: null, thumb_object: null }

/**
 * Lists the event with its thumbnail at once, then uploads its clip and adds it. Every step may be repeated. Throws
 * ProviderError.
 */
export async function deliverClip(client: ProviderClient, queue: RecordingQueue, entry: RecordedClip): Promise<void> {
  const { event } = entry
  const name = event.event_id
  const picture = entry.thumb ? await read(queue.pathOf(name, 'jpg')) : undefined
  const [thumb_object = null] = picture
    ? await upload(client, event.device_id, [{ kind: 'thumb', name, bytes: picture }])
    : []
  const clip_state = entry.clip ? 'uploading' : 'none'
  await client.postEvent({ ...event, ...NOTHING, clip_state, thumb_object })
  const bytes = entry.clip ? await read(queue.pathOf(name, 'mp4')) : undefined
  if (entry.clip) await deliverMedia(client, entry, entry.clip, bytes, thumb_object)
  log(bytes ? `Recorded "${event.title}" (${name}).` : `Listed "${event.title}" (${name}) without a clip.`)
}

async function deliverMedia(
  client: ProviderClient,
  { event }: RecordedClip,
  { begin, end }: NonNullable<RecordedClip['clip']>,
  bytes: Buffer | undefined,
  thumb_object: string | null,
): Promise<void> {
  const { event_id, device_id } = event
  const [clip_object = null] = bytes ? await upload(client, device_id, [{ kind: 'clip', name: event_id, bytes }]) : []
  const resource = { begin_time: begin, end_time: end, resource_version: 1, resource_type: 's3' } as const
  const event_resources = clip_object ? [resource] : []
  try {
    await client.postClip({ device_id, event_id, clip_object, thumb_object, event_resources })
  } catch (error) {
    if (!(error instanceof ProviderError) || error.status !== 404) throw error
    await client.postEvent({ ...event, event_resources, clip_object, thumb_object })
  }
}

/** Undefined when the file is gone. */
function read(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
