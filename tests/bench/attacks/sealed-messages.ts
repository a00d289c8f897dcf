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
  const door = (await fetchData(browser, getBridgeSealingKey)) as BridgeSealingKey & { readonly state: string }
  if (door.state !== 'open') throw new Error(`The bridge is ${door.state}.`)
  const { bridge_id, home_id, key, nonce } = door
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
  const boxes: string[] = []
  for (let isComplete = false; !isComplete;) {
    const batch = (await fetchData(browser, readSealedAnswers, { bridge_id, ask_id, after: boxes.length })) as {
      readonly boxes: readonly string[]
      readonly over: boolean
    }
    boxes.push(...batch.boxes)
    isComplete = batch.over || batch.boxes.length === 0
  }
  return boxes
}

export async function sendSealedMessage(member: Member, message: unknown): Promise<CameraAnswer[]> {
  const door = await openSealedChannel(member)
  const { sealed, channel } = await sealForBridge(door, message)
  return openCameraAnswers(channel, await forwardSealedMessage(member, door.bridge_id, sealed))
}
