import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { splitPictures, type Picture } from '../../../../bridge/media/h264/annex-b.ts'
import { FLV, FlvReader } from '../../../../bridge/media/h264/flv-reader.ts'
import { patience, switchOn, watch } from '../../../support/watched-camera.ts'
import { PICTURES, STREAM } from '../../../support/bridge-streams.ts'
import { captureOutcome } from '../../../support/cases.ts'

const SHORT = STREAM.subarray(0, 60_000)
const WHOLE = splitPictures(SHORT)
const stream = spawnSync('ffmpeg', ['-v', 'error', '-f', 'h264', '-i', 'pipe:0', '-c', 'copy', ...FLV, 'pipe:1'], {
  input: SHORT,
}).stdout

function read(cuts: readonly number[]): Picture[] {
  const reader = new FlvReader()
  const pictures: Picture[] = []
  for (let i = 0, from = 0; from < stream.length; i++) {
    const to = from + (cuts[i % cuts.length] ?? 1)
    pictures.push(...reader.push(stream.subarray(from, to)))
    from = to
  }
  return pictures
}

test('the reader returns the original frames of a live stream, wherever its bytes are split', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 40 }), (cuts) => {
      expect(read(cuts)).toEqual(WHOLE)
    }),
    { numRuns: 30 },
  )
})

test('the reader returns a frame with its last byte, even if nothing follows', () => {
  const reader = new FlvReader()
  const pictures = reader.push(stream.subarray(0, -5))
  expect(pictures).toHaveLength(WHOLE.length - 1)
  expect(reader.push(stream.subarray(-5, -4))).toEqual(WHOLE.slice(-1))
})

test('the last frame that ffmpeg outputs is shown after the camera stops sending', async () => {
  const sent = 40
  const server = await switchOn({ stream: STREAM, freezesAfter: sent })
  const { units } = watch(server.url())
  // ffmpeg holds back the camera's last frame, because only the start of another frame shows where a frame ends.
  const last = PICTURES[sent - 2]?.nals.at(-1) ?? Buffer.alloc(0)
  await vi.waitUntil(() => units.at(-1)?.nals.at(-1)?.equals(last), patience)
  expect(server.plays).toBe(1)
})

test('the reader rejects data that is not FLV or has no H.264 in it', () => {
  expect(() => new FlvReader().push(SHORT)).toThrow(RangeError)
  const other = Buffer.from(stream)
  other[9 + 4 + 11] = 0x12
  expect(() => new FlvReader().push(other)).toThrow(RangeError)
})

test('damaged bytes yield frames or a RangeError and never block the reader', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat({ max: 4000 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 12 }),
      (changes) => {
        const damaged = Buffer.from(stream.subarray(0, 8000))
        for (const [at, value] of changes) damaged[at] = value
        const read = captureOutcome(() => [...new FlvReader().push(damaged)])
        const isFull = (result: typeof read) =>
          Array.isArray(result) && result.every(({ nals }) => nals.every(({ length }) => length))
        expect(read instanceof RangeError || isFull(read)).toBe(true)
      },
    ),
    { seed: 48, numRuns: 2000 },
  )
})
