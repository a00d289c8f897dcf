import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { splitFrames, type EncodedFrame } from '../../../../bridge/media/h264/annex-b.ts'
import { FLV_OUTPUT_ARGS, FlvReader } from '../../../../bridge/media/h264/flv-reader.ts'
import { CAMERA_WAIT_OPTIONS, startCamera, startWatchedSource } from '../../../support/watched-camera.ts'
import { ACTION_PICTURES, ACTION_STREAM } from '../../../support/bridge-streams.ts'
import { returnOrCatchError } from '../../../support/cases.ts'

const H264_STREAM = ACTION_STREAM.subarray(0, 60_000)
const ALL_FRAMES = splitFrames(H264_STREAM)
const flvStream = spawnSync(
  'ffmpeg',
  ['-v', 'error', '-f', 'h264', '-i', 'pipe:0', '-c', 'copy', ...FLV_OUTPUT_ARGS, 'pipe:1'],
  {
    input: H264_STREAM,
  },
).stdout

function readInPieces(cuts: readonly number[]): EncodedFrame[] {
  const reader = new FlvReader()
  const pictures: EncodedFrame[] = []
  for (let i = 0, from = 0; from < flvStream.length; i++) {
    const to = from + (cuts[i % cuts.length] ?? 1)
    pictures.push(...reader.push(flvStream.subarray(from, to)))
    from = to
  }
  return pictures
}

test('the reader returns the original frames of a live stream, wherever its bytes are split', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 40 }), (cuts) => {
      expect(readInPieces(cuts)).toEqual(ALL_FRAMES)
    }),
    { numRuns: 30 },
  )
})

test('the reader returns a frame with its last byte, even if nothing follows', () => {
  const reader = new FlvReader()
  const pictures = reader.push(flvStream.subarray(0, -5))
  expect(pictures).toHaveLength(ALL_FRAMES.length - 1)
  expect(reader.push(flvStream.subarray(-5, -4))).toEqual(ALL_FRAMES.slice(-1))
})

test('the last frame that ffmpeg outputs is shown after the camera stops sending', async () => {
  const sent = 40
  const server = await startCamera({ stream: ACTION_STREAM, framesUntilFreeze: sent })
  const { units } = startWatchedSource(server.url())
  // ffmpeg never outputs the camera's last frame, because only the next frame marks the end of a frame.
  const last = ACTION_PICTURES[sent - 2]?.nals.at(-1) ?? Buffer.alloc(0)
  await vi.waitUntil(() => units.at(-1)?.nals.at(-1)?.equals(last), CAMERA_WAIT_OPTIONS)
  expect(server.playCount).toBe(1)
})

test('the reader rejects data that is not FLV or has no H.264 in it', () => {
  expect(() => new FlvReader().push(H264_STREAM)).toThrow(RangeError)
  const other = Buffer.from(flvStream)
  other[9 + 4 + 11] = 0x12
  expect(() => new FlvReader().push(other)).toThrow(RangeError)
})

test('damaged bytes yield frames or a RangeError and never block the reader', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat({ max: 4000 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 12 }),
      (changes) => {
        const damaged = Buffer.from(flvStream.subarray(0, 8000))
        for (const [at, value] of changes) damaged[at] = value
        const readInPieces = returnOrCatchError(() => [...new FlvReader().push(damaged)])
        const isFull = (result: typeof readInPieces) =>
          Array.isArray(result) && result.every(({ nals }) => nals.every(({ length }) => length))
        expect(readInPieces instanceof RangeError || isFull(readInPieces)).toBe(true)
      },
    ),
    { seed: 48, numRuns: 2000 },
  )
})
