import { describe, expect, test } from 'vitest'
import { decodePayload, encodePayload, SIGNALING_PAYLOAD_MAX } from '../../../../contract/live/signaling.ts'
import {
  createCandidateMessage,
  createOfferMessage,
  filterBaselineCodecs,
  parseSignal,
} from '../../../../src/media/webrtc/kvs-messages.ts'

const createIncomingMessage = (messageType: string, payload: unknown) =>
  JSON.stringify({ messageType, messagePayload: encodePayload(payload), senderClientId: 'bridge' })

describe('the reader of signaling messages', () => {
  test('accepts the answer of the camera', () => {
    expect(parseSignal(createIncomingMessage('SDP_ANSWER', { type: 'answer', sdp: 'v=0' }))).toEqual({
      kind: 'answer',
      sdp: 'v=0',
    })
  })

  test('accepts a candidate, with the first media line if none is named', () => {
    const candidate = 'candidate:1 1 udp 1 127.0.0.1 5000 typ host'
    expect(parseSignal(createIncomingMessage('ICE_CANDIDATE', { candidate }))).toEqual({
      kind: 'candidate',
      candidate: { candidate, sdpMid: null, sdpMLineIndex: 0 },
    })
    expect(
      parseSignal(createIncomingMessage('ICE_CANDIDATE', { candidate, sdpMid: '1', sdpMLineIndex: 1 })),
    ).toMatchObject({
      candidate: { sdpMid: '1', sdpMLineIndex: 1 },
    })
  })

  test('accepts the state of the camera with its sentence', () => {
    const camera = { state: 'offline', reason: 'Es ist aus – ganz aus.', since: 5 }
    expect(parseSignal(createIncomingMessage('CAMERA_STATE', camera))).toEqual({ kind: 'camera', camera })
  })

  test('accepts the rendition that was selected for all viewers', () => {
    expect(parseSignal(createIncomingMessage('RENDITION', { name: '720' }))).toEqual({ kind: 'chosen', name: '720' })
    expect(parseSignal(createIncomingMessage('RENDITION', { name: 720 }))).toEqual({ kind: 'unknown' })
  })

  test('accepts a rejection with its status', () => {
    const statusResponse = { errorType: 'InvalidArgumentException', statusCode: '400', description: 'Too long.' }
    const text = JSON.stringify({ messageType: 'STATUS_RESPONSE', messagePayload: '', statusResponse })
    expect(parseSignal(text)).toEqual({ kind: 'refused', statusCode: '400', text: 'Too long.' })
  })

  test.each([
    ['invalid JSON', 'hello'],
    ['another type', JSON.stringify({ messageType: 'GO_AWAY', messagePayload: '' })],
    ['a payload that is not base64', JSON.stringify({ messageType: 'SDP_ANSWER', messagePayload: '%%%' })],
    ['a payload that is not an object', createIncomingMessage('SDP_ANSWER', 7)],
    ['an answer without SDP', createIncomingMessage('SDP_ANSWER', { type: 'answer' })],
    ['a state that does not exist', createIncomingMessage('CAMERA_STATE', { state: 'dancing', reason: '', since: 1 })],
  ])('ignores %s', (_, text) => {
    expect(parseSignal(text)).toEqual({ kind: 'unknown' })
  })
})

describe('the writer of signaling messages', () => {
  test('sends an offer as base64 of JSON with a correlation id', () => {
    const message = JSON.parse(createOfferMessage('v=0', 'a1')) as { messagePayload: string }
    expect(message).toMatchObject({ action: 'SDP_OFFER', correlationId: 'a1' })
    expect(decodePayload(message.messagePayload)).toEqual({ type: 'offer', sdp: 'v=0' })
  })

  test('rejects an offer that is too large for the service', () => {
    expect(() => createOfferMessage('x'.repeat(SIGNALING_PAYLOAD_MAX), 'a1')).toThrow(RangeError)
  })

  test('sends a candidate without the fields that only this browser needs', () => {
    const message = JSON.parse(
      createCandidateMessage({ candidate: 'c', sdpMid: '0', sdpMLineIndex: 0, usernameFragment: 'u' }),
    ) as {
      messagePayload: string
    }
    expect(decodePayload(message.messagePayload)).toEqual({ candidate: 'c', sdpMid: '0', sdpMLineIndex: 0 })
  })
})

describe('codec selection', () => {
  const createCodec = (mimeType: string, sdpFmtpLine?: string) => ({ mimeType, ...(sdpFmtpLine && { sdpFmtpLine }) })

  test('offers only H.264 constrained baseline with packetization-mode 1', () => {
    const baseline = createCodec('video/H264', 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f')
    const codecs = [
      createCodec('video/VP8'),
      createCodec('video/H264', 'level-asymmetry-allowed=1;packetization-mode=0;profile-level-id=42e01f'),
      createCodec('video/H264', 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=64001f'),
      baseline,
      createCodec('video/rtx'),
    ]
    expect(filterBaselineCodecs(codecs)).toEqual([baseline])
  })
})
