import { safeParse } from 'valibot'
import {
  askBridge,
  cameraAnswer,
  readAnswers,
  sealingContext,
  type CameraAnswer,
  type CameraAsk,
} from '../../../contract/cameras/camera-setup.ts'
import { channelToBridge, type SealedChannel } from '../../../contract/bridge/sealed-channel.ts'
import { request } from '../../api/api-client.ts'
import type { RequestFailure } from '../../api/result.ts'
import { failureText } from '../shell/failure-text.ts'
import { $door, fetchSealingKey } from './sealing-key.ts'

/** Number of consecutive reads without a response after which the bridge counts as lost. */
const SILENT_READS = 6
const RETRY_MS = 400
const NO_DOOR = 'Nothing was sent. The note about your box says why.'
const LOST = 'The box did not answer to the end. Try again.'

/**
 * Seals a request, sends it to the bridge and passes each response to `onAnswer` as it arrives. Returns the reason for
 * a failure; '' on success.
 */
export async function sendSealedRequest(ask: CameraAsk, onAnswer: (answer: CameraAnswer) => void): Promise<string> {
  const door = await fetchSealingKey()
  if (!door) return closedText()
  const { bridge_id, nonce } = door
  const context = sealingContext(bridge_id, door.home_id)
  const { pageKey, channel } = await channelToBridge({ bridgeKey: door.key, nonce, context })
  const sealed = { nonce, page_key: pageKey, box: await channel.seal(ask) }
  const response = await request(askBridge, { bridge_id, sealed })
  if (!response.ok) return refusal(response)
  return read(bridge_id, response.data.ask_id, channel, onAnswer)
}

async function read(
  bridge_id: string,
  ask_id: string,
  channel: SealedChannel,
  onAnswer: (answer: CameraAnswer) => void,
): Promise<string> {
  let after = 0
  for (let silent = 0; silent < SILENT_READS; silent++) {
    const answer = await request(readAnswers, { bridge_id, ask_id, after })
    if (!answer.ok && answer.status > 0 && answer.status < 500) return refusal(answer)
    if (!answer.ok) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      continue
    }
    const { boxes, over } = answer.data
    after += boxes.length
    if (boxes.length > 0) silent = -1
    for (const box of boxes) {
      const opened = await openedBox(channel, box)
      if (opened === null) return LOST
      if (opened.answer === 'over') return opened.words
      onAnswer(opened)
    }
    if (over) return LOST
  }
  return LOST
}

/** Opens one sealed message of the bridge. Returns null if a message was changed or lost in transit. */
async function openedBox(channel: SealedChannel, box: string): Promise<CameraAnswer | null> {
  try {
    const read = safeParse(cameraAnswer, await channel.open(box))
    return read.success ? read.output : null
  } catch {
    return null
  }
}

function closedText(): string {
  const door = $door.get()
  return door.state === 'failed' ? door.text : NO_DOOR
}

const refusal = (failure: RequestFailure): string =>
  failure.status === 409
    ? 'Your box is not connected. See that it is on and online, then try again.'
    : failureText(failure)
