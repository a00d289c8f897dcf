import {
  forwardSealedRequest,
  getBridgeSealingKey,
  readSealedAnswers,
  type CameraAnswer,
  type SealedRequest,
} from '../../../contract/cameras/camera-setup.ts'
import { openCameraAnswers, type BridgeSealingKey, sealForBridge } from '../../support/camera-setup-channel.ts'
import { fetchData, type Member } from './attack-environment.ts'

export async function openSealedChannel({ browser }: Member): Promise<BridgeSealingKey> {
  const sealingKey = (await fetchData(browser, getBridgeSealingKey)) as BridgeSealingKey & { readonly state: string }
  if (sealingKey.state !== 'open') throw new Error(`The bridge is ${sealingKey.state}.`)
  const { bridge_id, home_id, key, nonce } = sealingKey
  return { bridge_id, home_id, key, nonce }
}

/**
 * Forwards a sealed message to the bridge and returns the sealed responses. Polls until the last response, or until a
 * poll returns none.
 */
export async function forwardSealedMessage(
  { browser }: Member,
  bridge_id: string,
  sealed: SealedRequest,
): Promise<string[]> {
  const { ask_id } = (await fetchData(browser, forwardSealedRequest, { bridge_id, sealed })) as { ask_id: string }
  const sealedAnswers: string[] = []
  for (let isComplete = false; !isComplete;) {
    const batch = (await fetchData(browser, readSealedAnswers, { bridge_id, ask_id, after: sealedAnswers.length })) as {
      readonly boxes: readonly string[]
      readonly over: boolean
    }
    sealedAnswers.push(...batch.boxes)
    isComplete = batch.over || batch.boxes.length === 0
  }
  return sealedAnswers
}

export async function sendSealedMessage(member: Member, message: unknown): Promise<CameraAnswer[]> {
  const sealingKey = await openSealedChannel(member)
  const { sealed, channel } = await sealForBridge(sealingKey, message)
  return openCameraAnswers(channel, await forwardSealedMessage(member, sealingKey.bridge_id, sealed))
}
