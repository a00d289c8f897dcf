import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packetize, MAX_PAYLOAD_BYTES } from '../../../bridge/webrtc/h264-packetizer.ts'
import { depacketize } from '../../support/depacketize.ts'
import { ACTION_PICTURES } from '../../support/bridge-streams.ts'

const nalArbitrary = fc
  .tuple(fc.constantFrom(0x67, 0x68, 0x65, 0x41, 0x06, 0x01), fc.uint8Array({ minLength: 1, maxLength: 6000 }))
  .map(([header, body]) => Buffer.from([header, ...body]))

test('packetized NAL units are restored in order, and no packet exceeds the maximum size', () => {
  fc.assert(
    fc.property(
      fc.array(nalArbitrary, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 100, max: 1400 }),
      (nals, max) => {
        const payloads = packetize(nals, max)
        expect(depacketize(payloads)).toEqual(nals)
        expect(Math.max(...payloads.map((payload) => payload.length))).toBeLessThanOrEqual(max)
      },
    ),
  )
})

test('a keyframe starts with both parameter sets in one packet', () => {
  const first = ACTION_PICTURES[0]?.nals ?? []
  const payloads = packetize(first)
  expect((payloads[0]?.[0] ?? 0) & 31).toBe(24)
  expect(depacketize(payloads)).toEqual(first)
  expect(Math.max(...payloads.map((payload) => payload.length))).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES)
})
