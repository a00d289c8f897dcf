/**
 * Program that delivers the upload queue of a folder but never finishes a clip. Prints the id of each listed event
 * until a test kills the program.
 */
import { RecordingQueue } from '../../../bridge/recording/recording-queue.ts'
import { deliverClip, postEarlyEvent } from '../../../bridge/recording/deliver-recording.ts'
import type { RecordedClip } from '../../../bridge/recording/recorded-clip.ts'
import { ProviderClient, type UploadGrant } from '../../../bridge/uplink/provider-client.ts'

const [, , data = '', origin = '', key = ''] = process.argv

class SlowClient extends ProviderClient {
  override uploadObject(...[grant, type, bytes]: Parameters<ProviderClient['uploadObject']>): Promise<void> {
    return type === 'video/mp4'
      ? new Promise(() => setInterval(() => undefined, 1000))
      : super.uploadObject(grant, type, bytes)
  }

  override async postEvent(...[event, early]: Parameters<ProviderClient['postEvent']>): Promise<UploadGrant | null> {
    const grant = await super.postEvent(event, early)
    process.stdout.write(`listed ${event.event_id}\n`)
    return grant
  }
}
const client = new SlowClient(origin, { bridgeId: 'br_real', key: Buffer.from(key, 'base64url') })
const queue: RecordingQueue = new RecordingQueue(
  data,
  (entry, listed) => deliverClip(client, queue, entry as RecordedClip, listed),
  { list: (entry) => postEarlyEvent(client, queue, entry as RecordedClip) },
)
await queue.open()
queue.retryNow()
