import { safeParse } from 'valibot'
import {
  forwardSealedRequest,
  cameraAnswer,
  readSealedAnswers,
  createSealingContext,
  type CameraAnswer,
  type CameraRequest,
} from '../../../contract/cameras/camera-setup.ts'
import { openChannelToBridge, type SealedChannel } from '../../../contract/bridge/sealed-channel.ts'
import { request } from '../../api/api-client.ts'
import type { RequestFailure } from '../../api/result.ts'
import { formatFailure } from '../shell/failure-text.ts'
import { $sealingKeyState, fetchSealingKey } from './sealing-key.ts'

/** Number of consecutive polls without a message from the bridge after which the page treats the bridge as lost. */
const MAX_SILENT_READS = 6
const RETRY_DELAY_MS = 400
const NO_SEALING_KEY_TEXT = 'Nothing was sent. See the note about your hub.'
const CONNECTION_LOST_TEXT = 'Your hub stopped responding. Try again.'

/**
 * Seals a request, sends it to the bridge and passes each response to `onAnswer` as it arrives. Returns the reason for
 * a failure; '' on success.
 */
export async function sendSealedRequest(
  cameraRequest: CameraRequest,
  onAnswer: (answer: CameraAnswer) => void,
): Promise<string> {
  const sealingKey = await fetchSealingKey('device_id' in cameraRequest ? cameraRequest.device_id : undefined)
  if (!sealingKey) return getSealingFailureText()
  const { bridge_id, nonce } = sealingKey
  const context = createSealingContext(bridge_id, sealingKey.home_id)
  const { pageKey, channel } = await openChannelToBridge({ bridgeKey: sealingKey.key, nonce, context })
  const sealed = { nonce, page_key: pageKey, box: await channel.seal(cameraRequest) }
  const response = await request(forwardSealedRequest, { bridge_id, sealed })
  if (!response.ok) return formatRequestFailure(response)
  return readResponses(bridge_id, response.data.ask_id, channel, onAnswer)
}

async function readResponses(
  bridge_id: string,
  ask_id: string,
  channel: SealedChannel,
  onAnswer: (answer: CameraAnswer) => void,
): Promise<string> {
  let after = 0
  for (let silentReads = 0; silentReads < MAX_SILENT_READS; silentReads++) {
    const response = await request(readSealedAnswers, { bridge_id, ask_id, after })
    if (!response.ok && response.status > 0 && response.status < 500) return formatRequestFailure(response)
    if (!response.ok) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS))
      continue
    }
    const { boxes, over } = response.data
    after += boxes.length
    if (boxes.length > 0) silentReads = -1
    for (const box of boxes) {
      const message = await openSealedMessage(channel, box)
      if (message === null) return CONNECTION_LOST_TEXT
      if (message.answer === 'over') return message.words
      onAnswer(message)
    }
    if (over) return CONNECTION_LOST_TEXT
  }
  return CONNECTION_LOST_TEXT
}

/**
 * Opens one sealed message of the bridge. Returns null if the message was changed, an earlier message was lost, or the
 * content is invalid.
 */
async function openSealedMessage(channel: SealedChannel, sealedMessage: string): Promise<CameraAnswer | null> {
  try {
    const parsed = safeParse(cameraAnswer, await channel.open(sealedMessage))
    return parsed.success ? parsed.output : null
  } catch {
    return null
  }
}

function getSealingFailureText(): string {
  const sealingKeyState = $sealingKeyState.get()
  return sealingKeyState.state === 'failed' ? sealingKeyState.text : NO_SEALING_KEY_TEXT
}

const formatRequestFailure = (failure: RequestFailure): string =>
  failure.status === 409
    ? 'Your hub isn’t connected. Make sure it’s on and online, then try again.'
    : formatFailure(failure)
