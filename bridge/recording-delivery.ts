import { deliverClip, listEvent } from './recording/deliver-recording.ts'
import type { QueuedRecording, RecordingQueue } from './recording/recording-queue.ts'
import type { ProviderClient } from './uplink/provider-client.ts'
import type { SceneLibrary } from './virtual/scene-library.ts'
import { deliverRecording, listRecording } from './virtual/virtual-camera.ts'

export function deliveries(client: ProviderClient, library: SceneLibrary, queue: () => RecordingQueue) {
  return {
    list: (entry: QueuedRecording): Promise<void> =>
      'kind' in entry ? listEvent(client, queue(), entry) : listRecording(client, library, entry),
    deliver: (entry: QueuedRecording, listed: boolean): Promise<void> =>
      'kind' in entry ? deliverClip(client, queue(), entry, listed) : deliverRecording(client, library, entry),
  }
}
