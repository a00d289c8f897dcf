import { deliverClip, postEarlyEvent } from './recording/deliver-recording.ts'
import type { QueuedRecording, RecordingQueue } from './recording/recording-queue.ts'
import type { ProviderClient } from './uplink/provider-client.ts'
import type { SceneLibrary } from './virtual/scene-library.ts'
import { deliverRecording, postVirtualEvent } from './virtual/virtual-camera.ts'

export function createDeliveryFunctions(client: ProviderClient, library: SceneLibrary, queue: () => RecordingQueue) {
  return {
    list: (entry: QueuedRecording): Promise<unknown> =>
      'kind' in entry ? postEarlyEvent(client, queue(), entry) : postVirtualEvent(client, library, entry),
    deliver: (entry: QueuedRecording, listed: boolean): Promise<void> =>
      'kind' in entry ? deliverClip(client, queue(), entry, listed) : deliverRecording(client, library, entry),
  }
}
