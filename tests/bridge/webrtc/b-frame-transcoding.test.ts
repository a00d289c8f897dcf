import { expect, test, vi } from 'vitest'
import type { Picture } from '../../../bridge/media/h264/annex-b.ts'
import { Transcoder } from '../../../bridge/media/h264/transcoder.ts'
import { PictureOrder } from '../../../bridge/media/h264/picture-order-count.ts'
import { GrayDecoder } from '../../../bridge/motion/gray-decoder.ts'
import { transcodeBFrames } from '../../../bridge/webrtc/b-frame-transcoding.ts'
import type { PeerEvents } from '../../../bridge/webrtc/peer.ts'
import { Viewer } from '../../../bridge/webrtc/viewer.ts'
import type { Source } from '../../../bridge/sources/video-source.ts'
import { depacketize } from '../../support/depacketize.ts'
import { atEnd, patience, switchOn, watch } from '../../support/watched-camera.ts'
import { encode, encodeStream, STREAM } from '../../support/bridge-streams.ts'

/** Collects the frames that a WebRTC viewer of this camera receives. */
function view(source: Source) {
  const pictures: Picture[] = []
  let payloads: Buffer[] = []
  let events: PeerEvents | undefined
  const send = (_: unknown, payload: Buffer, __: number, marker: boolean) => {
    payloads.push(payload)
    if (!marker) return
    const nals = depacketize(payloads)
    pictures.push({ nals, keyframe: nals.some((nal) => ((nal[0] ?? 0) & 31) === 5) })
    payloads = []
  }
  const peer = { tracks: new Set(['main'] as const), answer: async () => '', addCandidate: async () => undefined }
  const viewer = new Viewer(
    source,
    (peerEvents) => ((events = peerEvents), { ...peer, send, close: () => undefined }),
    () => undefined,
  )
  atEnd(() => viewer.end())
  events?.connected()
  return pictures
}

function stepsBack(pictures: readonly Picture[]): number {
  const order = new PictureOrder()
  const counts = pictures.map((picture) => order.readCount(picture) ?? NaN)
  return counts.filter((count, i) => !pictures[i]?.keyframe && !(count > (counts[i - 1] ?? -1))).length
}

test('a WebRTC viewer of a B-frame camera gets all its frames, none out of order', async () => {
  const camera = await switchOn({ stream: encodeStream('bframes=3:b-pyramid=normal') })
  const { source, units } = watch(camera.url())
  // Wait for a few frames, so that the bridge knows the presentation order before the first viewer connects.
  await vi.waitUntil(() => source.group().length > 8, patience)
  expect(stepsBack(units)).toBeGreaterThan(0)
  const before = units.length - source.group().length
  const pictures = view(source)
  await vi.waitUntil(() => pictures.length > 45, patience)
  expect(stepsBack(pictures)).toBe(0)
  expect(pictures[0]?.keyframe).toBe(true)
  // The viewer gets all frames since the keyframe at which it connected, except up to 12 in transit: a busy machine
  // delivers frames in bursts.
  await vi.waitUntil(() => Math.abs(units.length - pictures.length - before) <= 12, patience)
})

test('frames that arrive in order are passed on unchanged, without a transcoder', async () => {
  const camera = await switchOn({ stream: STREAM })
  const { source, units } = watch(camera.url())
  await vi.waitUntil(() => units.length > 0, patience)
  const passed: unknown[] = []
  atEnd(transcodeBFrames(source).watch((unit) => void passed.push(unit)))
  await vi.waitUntil(() => passed.length > 20, patience)
  expect(units.slice(-passed.length)).toEqual(passed)
  expect(passed.at(-1)).toBe(units.at(-1))
  expect(transcodeBFrames(source).group()).toBe(source.group())
})

test('transcoder and motion decoder start with the first keyframe that they receive', async () => {
  const pictures = encode('bframes=0:keyint=1000')
  let isFirstKey: boolean | undefined
  let transcoded = 0
  let grayFrames = 0
  const transcoder = new Transcoder({
    onPicture: ({ keyframe }) => {
      isFirstKey ??= keyframe
      transcoded += 1
    },
    onEnd: () => undefined,
  })
  const decoder = new GrayDecoder({
    pace: 'live',
    all: true,
    onFrame: () => void (grayFrames += 1),
    onEnd: () => undefined,
  })
  for (const decoding of [transcoder, decoder]) atEnd(() => decoding.stop())
  for (const picture of pictures) {
    transcoder.push(picture)
    decoder.push(picture)
  }
  decoder.finish()
  await vi.waitUntil(() => transcoded >= pictures.length && grayFrames >= pictures.length, patience)
  expect([pictures.filter(({ keyframe }) => keyframe).length, isFirstKey]).toEqual([1, true])
  expect([transcoded, grayFrames]).toEqual([pictures.length, pictures.length])
})
