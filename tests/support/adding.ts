import { parse } from 'valibot'
import { cameraAnswer, sealingContext, type CameraAnswer, type SealedAsk } from '../../contract/cameras/camera-setup.ts'
import { channelToBridge, type SealedChannel } from '../../contract/bridge/sealed-channel.ts'

export interface OpenDoor {
  readonly bridge_id: string
  readonly home_id: string
  readonly key: string
  readonly nonce: string
}

/** Seals a message for a bridge as a page does. Returns it with the channel that opens the answers. */
export async function sealFor(
  door: OpenDoor,
  message: unknown,
): Promise<{ sealed: SealedAsk; channel: SealedChannel }> {
  const context = sealingContext(door.bridge_id, door.home_id)
  const { pageKey, channel } = await channelToBridge({ bridgeKey: door.key, nonce: door.nonce, context })
  return { sealed: { nonce: door.nonce, page_key: pageKey, box: await channel.seal(message) }, channel }
}

export async function openAnswers(channel: SealedChannel, boxes: readonly string[]): Promise<CameraAnswer[]> {
  const opened: CameraAnswer[] = []
  for (const box of boxes) opened.push(parse(cameraAnswer, await channel.open(box)))
  return opened
}
