import {
  askBridge,
  openCameraDoor,
  readAnswers,
  type CameraAnswer,
  type SealedAsk,
} from '../../../contract/cameras/camera-setup.ts'
import { openAnswers, type OpenDoor, sealFor } from '../../support/adding.ts'
import { fetchData, type Member } from './ground.ts'

export async function openDoor({ browser }: Member): Promise<OpenDoor> {
  const door = (await fetchData(browser, openCameraDoor)) as OpenDoor & { readonly state: string }
  if (door.state !== 'open') throw new Error(`The bridge is ${door.state}.`)
  const { bridge_id, home_id, key, nonce } = door
  return { bridge_id, home_id, key, nonce }
}

/**
 * Forwards a sealed message to the bridge. Returns the bridge's sealed answers: polls until the last answer, or until a
 * poll returns none.
 */
export async function passOn({ browser }: Member, bridge_id: string, sealed: SealedAsk): Promise<string[]> {
  const { ask_id } = (await fetchData(browser, askBridge, { bridge_id, sealed })) as { ask_id: string }
  const boxes: string[] = []
  for (let isOver = false; !isOver;) {
    const read = (await fetchData(browser, readAnswers, { bridge_id, ask_id, after: boxes.length })) as {
      readonly boxes: readonly string[]
      readonly over: boolean
    }
    boxes.push(...read.boxes)
    isOver = read.over || read.boxes.length === 0
  }
  return boxes
}

export async function sendSealedMessage(member: Member, message: unknown): Promise<CameraAnswer[]> {
  const door = await openDoor(member)
  const { sealed, channel } = await sealFor(door, message)
  return openAnswers(channel, await passOn(member, door.bridge_id, sealed))
}
