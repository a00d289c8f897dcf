import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packetize, PAYLOAD_MAX } from '../../bridge/peers/packetizer.ts'
import { PICTURES } from './streams.ts'

/** The NAL units of RTP payloads, read as RFC 6184 says. */
function depacketize(payloads: readonly Buffer[]): Buffer[] {
  const nals: Buffer[] = []
  let parts: Buffer[] = []
  for (const payload of payloads) {
    const indicator = payload[0] ?? 0
    const type = indicator & 31
    if (type === 24) {
      for (let at = 1; at < payload.length; at += 2 + payload.readUInt16BE(at)) {
        nals.push(payload.subarray(at + 2, at + 2 + payload.readUInt16BE(at)))
      }
    } else if (type === 28) {
      const header = payload[1] ?? 0
      if (header & 0x80) parts = [Buffer.from([(indicator & 0xe0) | (header & 31)])]
      parts.push(payload.subarray(2))
      if (header & 0x40) nals.push(Buffer.concat(parts))
    } else nals.push(payload)
  }
  return nals
}

const nal = fc
  .tuple(fc.constantFrom(0x67, 0x68, 0x65, 0x41, 0x06, 0x01), fc.uint8Array({ minLength: 1, maxLength: 6000 }))
  .map(([header, body]) => Buffer.from([header, ...body]))

test('what is packetised comes out again, in order, in packets of at most the size', () => {
  fc.assert(
    fc.property(fc.array(nal, { minLength: 1, maxLength: 6 }), fc.integer({ min: 100, max: 1400 }), (nals, max) => {
      const payloads = packetize(nals, max)
      expect(depacketize(payloads)).toEqual(nals)
      expect(Math.max(...payloads.map((payload) => payload.length))).toBeLessThanOrEqual(max)
    }),
  )
})

test('a keyframe begins with both parameter sets in one packet', () => {
  const first = PICTURES[0]?.nals ?? []
  const payloads = packetize(first)
  expect((payloads[0]?.[0] ?? 0) & 31).toBe(24)
  expect(depacketize(payloads)).toEqual(first)
  expect(Math.max(...payloads.map((payload) => payload.length))).toBeLessThanOrEqual(PAYLOAD_MAX)
})
