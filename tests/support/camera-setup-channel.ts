import { parse } from 'valibot'
import {
  cameraAnswer,
  createSealingContext,
  type CameraAnswer,
  type SealedRequest,
} from '../../contract/cameras/camera-setup.ts'
import { openChannelToBridge, type SealedChannel } from '../../contract/bridge/sealed-channel.ts'

export interface BridgeSealingKey {
  readonly bridge_id: string
  readonly home_id: string
  readonly key: string
  readonly nonce: string
}

/**
 * Seals a message for a bridge as a page does. Returns the sealed message and the channel that decrypts the responses.
 */
export async function sealForBridge(
  sealingKey: BridgeSealingKey,
  message: unknown,
): Promise<{ sealed: SealedRequest; channel: SealedChannel }> {
  const context = createSealingContext(sealingKey.bridge_id, sealingKey.home_id)
  const { pageKey, channel } = await openChannelToBridge({
    bridgeKey: sealingKey.key,
    nonce: sealingKey.nonce,
    context,
  })
  return { sealed: { nonce: sealingKey.nonce, page_key: pageKey, box: await channel.seal(message) }, channel }
}

export async function openCameraAnswers(
  channel: SealedChannel,
  sealedAnswers: readonly string[],
): Promise<CameraAnswer[]> {
  const opened: CameraAnswer[] = []
  for (const box of sealedAnswers) opened.push(parse(cameraAnswer, await channel.open(box)))
  return opened
}
