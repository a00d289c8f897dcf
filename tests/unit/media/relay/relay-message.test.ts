import { describe, expect, test } from 'vitest'
import {
  nextToleratedLatency,
  computeLiveEdgeCorrection,
  parseRelayMessage,
} from '../../../../src/media/relay/relay-message.ts'

const createBuffer = (...values: number[]) => Uint8Array.from(values).buffer

describe('relay message', () => {
  test('starts the stream with an initialization segment and its MIME type', () => {
    const codec = [...'avc1.42c01f'].map((letter) => letter.charCodeAt(0))
    const message = parseRelayMessage(createBuffer(0, codec.length, ...codec, 1, 2, 3))
    expect(message).toEqual({
      kind: 'init',
      type: 'video/mp4; codecs="avc1.42c01f"',
      bytes: Uint8Array.of(1, 2, 3),
    })
  })

  test('is a keyframe, or a frame that depends on earlier ones', () => {
    expect(parseRelayMessage(createBuffer(1, 9))).toEqual({ kind: 'key', bytes: Uint8Array.of(9) })
    expect(parseRelayMessage(createBuffer(2, 9))).toEqual({ kind: 'delta', bytes: Uint8Array.of(9) })
  })

  test.each([[[]], [[3, 1, 2]], [[0]], [[0, 5, 1, 2]], [[17, 1]], [[33, 1]]])('%j is not a relay message', (values) => {
    expect(parseRelayMessage(createBuffer(...values))).toBeNull()
  })
})

describe('live edge', () => {
  test('is where playback starts, whatever the timestamps are', () => {
    expect(computeLiveEdgeCorrection(-1, 0, 0.9).seek).toBeCloseTo(0.75)
    expect(computeLiveEdgeCorrection(-1, 600, 600.1).seek).toBe(600)
  })

  test('is reached by a jump from more than a second behind, or from outside the buffer', () => {
    expect(computeLiveEdgeCorrection(10, 5, 11.2).seek).toBeCloseTo(11.05)
    expect(computeLiveEdgeCorrection(10, 11, 11.5).seek).toBeCloseTo(11.35)
    expect(computeLiveEdgeCorrection(900, 1, 2).seek).toBeCloseTo(1.85)
  })

  test('is approached by slightly faster playback, without a jump', () => {
    expect(computeLiveEdgeCorrection(10, 5, 10.6)).toEqual({ seek: null, rate: 1.1 })
    expect(computeLiveEdgeCorrection(10, 5, 10.15)).toEqual({ seek: null, rate: 1 })
  })

  test('is kept farther away after a stall, and approached again within a minute or two', () => {
    const waited = nextToleratedLatency(nextToleratedLatency(0.2, 'waited'), 'waited')
    expect(computeLiveEdgeCorrection(10, 5, 10.3, waited).rate).toBe(1)
    expect(nextToleratedLatency(0.45, 'waited')).toBe(0.45)
    const later = Array.from({ length: 15 * 90 }).reduce<number>(
      (ease) => nextToleratedLatency(ease, 'picture'),
      waited,
    )
    expect(computeLiveEdgeCorrection(10, 5, 10.3, later).rate).toBe(1.1)
  })
})
