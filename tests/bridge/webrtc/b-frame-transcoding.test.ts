import { expect, test, vi } from 'vitest'
import type { EncodedFrame } from '../../../bridge/media/h264/annex-b.ts'
import { Transcoder } from '../../../bridge/media/h264/transcoder.ts'
import { PictureOrder } from '../../../bridge/media/h264/picture-order-count.ts'
import { GrayDecoder } from '../../../bridge/motion/gray-decoder.ts'
import { transcodeBFrames } from '../../../bridge/webrtc/b-frame-transcoding.ts'
import type { PeerEvents } from '../../../bridge/webrtc/peer.ts'
import { Viewer } from '../../../bridge/webrtc/viewer.ts'
import type { VideoSource } from '../../../bridge/sources/video-source.ts'
import { depacketize } from '../../support/depacketize.ts'
import { addTestCleanup, CAMERA_WAIT_OPTIONS, startCamera, startWatchedSource } from '../../support/watched-camera.ts'
import { encodeTestPattern, encodeTestPatternStream, ACTION_STREAM } from '../../support/bridge-streams.ts'

function collectViewerFrames(source: VideoSource) {
  const frames: EncodedFrame[] = []
  let payloads: Buffer[] = []
  let events: PeerEvents | undefined
  const send = (_: unknown, payload: Buffer, __: number, marker: boolean) => {
    payloads.push(payload)
    if (!marker) return
    const nals = depacketize(payloads)
    frames.push({ nals, keyframe: nals.some((nal) => ((nal[0] ?? 0) & 31) === 5) })
    payloads = []
  }
  const peer = { tracks: new Set(['main'] as const), answer: async () => '', addCandidate: async () => undefined }
  const viewer = new Viewer(
    source,
    (peerEvents) => ((events = peerEvents), { ...peer, send, close: () => undefined }),
    () => undefined,
  )
  addTestCleanup(() => viewer.end())
  events?.connected()
  return frames
}

function countOutOfOrder(pictures: readonly EncodedFrame[]): number {
  const order = new PictureOrder()
  const counts = pictures.map((picture) => order.readCount(picture) ?? NaN)
  return counts.filter((count, i) => !pictures[i]?.keyframe && !(count > (counts[i - 1] ?? -1))).length
}

test('a WebRTC viewer of a B-frame camera gets all its frames, none out of order', async () => {
  const camera = await startCamera({ stream: encodeTestPatternStream('bframes=3:b-pyramid=normal') })
  const { source, units } = startWatchedSource(camera.url())
  // Wait for a few frames, so that the buffered GOP contains B-frames before the first viewer connects.
  await vi.waitUntil(() => source.getGop().length > 8, CAMERA_WAIT_OPTIONS)
  expect(countOutOfOrder(units)).toBeGreaterThan(0)
  const framesBeforeGroup = units.length - source.getGop().length
  const pictures = collectViewerFrames(source)
  await vi.waitUntil(() => pictures.length > 45, CAMERA_WAIT_OPTIONS)
  expect(countOutOfOrder(pictures)).toBe(0)
  expect(pictures[0]?.keyframe).toBe(true)
  // The viewer gets all frames since the last keyframe before it connected. Up to 12 frames may still be in transit,
  // because a busy machine delivers frames in bursts.
  await vi.waitUntil(() => Math.abs(units.length - pictures.length - framesBeforeGroup) <= 12, CAMERA_WAIT_OPTIONS)
})

test('frames that arrive in order are passed on unchanged, without a transcoder', async () => {
  const camera = await startCamera({ stream: ACTION_STREAM })
  const { source, units } = startWatchedSource(camera.url())
  await vi.waitUntil(() => units.length > 0, CAMERA_WAIT_OPTIONS)
  const passedFrames: unknown[] = []
  addTestCleanup(transcodeBFrames(source).watch((unit) => void passedFrames.push(unit)))
  await vi.waitUntil(() => passedFrames.length > 20, CAMERA_WAIT_OPTIONS)
  expect(units.slice(-passedFrames.length)).toEqual(passedFrames)
  expect(passedFrames.at(-1)).toBe(units.at(-1))
  expect(transcodeBFrames(source).getGop()).toBe(source.getGop())
})

test('transcoder and motion decoder start with the first keyframe that they receive', async () => {
  const pictures = encodeTestPattern('bframes=0:keyint=1000')
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
    outputsEveryFrame: true,
    onFrame: () => void (grayFrames += 1),
    onEnd: () => undefined,
  })
  for (const decoding of [transcoder, decoder]) addTestCleanup(() => decoding.stop())
  for (const picture of pictures) {
    transcoder.push(picture)
    decoder.push(picture)
  }
  decoder.finish()
  await vi.waitUntil(() => transcoded >= pictures.length && grayFrames >= pictures.length, CAMERA_WAIT_OPTIONS)
  expect([pictures.filter(({ keyframe }) => keyframe).length, isFirstKey]).toEqual([1, true])
  expect([transcoded, grayFrames]).toEqual([pictures.length, pictures.length])
})
