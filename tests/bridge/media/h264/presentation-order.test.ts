import { expect, test } from 'vitest'
import { RELAY_MESSAGE_TYPES } from '../../../../contract/live/relay-protocol.ts'
import type { AccessUnit, EncodedFrame } from '../../../../bridge/media/h264/annex-b.ts'
import { computePresentationOrder } from '../../../../bridge/media/h264/picture-order-count.ts'
import { muxMp4, muxWithTimes } from '../../../../bridge/media/mp4/muxer.ts'
import { RelayClock } from '../../../../bridge/relay/relay-clock.ts'
import { VideoRelay } from '../../../../bridge/relay/video-relay.ts'
import type { LensFrames } from '../../../../bridge/sources/video-source.ts'
import { cutSegments, buildMediaSegment, getSegmentByteRange } from '../../../../provider/media/hls-segments.ts'
import { decodeBoxes, readTracks } from '../../../../provider/media/mp4-samples.ts'
import { encodeTestPattern, readPresentationTimes } from '../../../support/bridge-streams.ts'

const FPS = 15
const PYRAMID_FRAMES = encodeTestPattern('bframes=3:b-pyramid=normal')
const FRAME_KINDS = {
  'three B-frames': encodeTestPattern('bframes=3:b-pyramid=none'),
  'three B-frames, one of them a reference frame': PYRAMID_FRAMES,
  'three B-frames in four slices per frame': encodeTestPattern('bframes=3:slices=4'),
  'B-frames of interlaced frames': encodeTestPattern('bframes=2:tff=1'),
  'no B-frames, picture order count type 2': encodeTestPattern('bframes=0'),
}
const frameKindRows = Object.entries(FRAME_KINDS)
const listFrameTimes = (count: number) => Array.from({ length: count }, (_, i) => i / FPS)
/** Allows a difference of less than 0.5 ms, because files store times as whole ticks. */
const expectCloseTo = (seconds: readonly number[]) => seconds.map((value) => expect.closeTo(value, 3) as number)

/** Adds timestamps with network jitter: up to 20 ms early or late. */
const addArrivalTimes = (pictures: readonly EncodedFrame[], fps = FPS): AccessUnit[] =>
  pictures.map((picture, i) => ({ ...picture, pts: 1_000_000 + (i * 1000) / fps + ((i * 7919) % 41) - 20 }))

test.each(frameKindRows)('a clip with %s shows every frame in presentation order, the first at 0', (_, pictures) => {
  expect(readPresentationTimes(muxMp4(pictures, FPS))).toEqual(expectCloseTo(listFrameTimes(60)))
})

test('a recording with B-frames has frame times as even as one without', () => {
  const evenlySpaced = PYRAMID_FRAMES.map((picture, i) => ({ ...picture, pts: (i * 1000) / FPS }))
  expect(readPresentationTimes(Buffer.concat(muxWithTimes(evenlySpaced).parts))).toEqual(
    expectCloseTo(listFrameTimes(60)),
  )
})

test('a recording with B-frames and lost frames never steps back in time', () => {
  const remaining = addArrivalTimes(PYRAMID_FRAMES).filter((_, i) => i % 15 === 0 || i % 7 !== 3)
  const times = readPresentationTimes(Buffer.concat(muxWithTimes(remaining).parts))
  expect(times.length).toBeGreaterThan(40)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

/**
 * Reads the presentation times of a media segment from `tfdt` and `trun`, in decode order, in ticks. Each `trun` row
 * starts with the duration and ends with the composition offset.
 */
function readSegmentTimes(segment: Buffer): number[] {
  const run = segment.indexOf('trun') + 4
  let time = segment.readUInt32BE(segment.indexOf('tfdt') + 8)
  return Array.from({ length: segment.readUInt32BE(run + 4) }, (_, i) => {
    const row = run + 12 + 16 * i
    time += segment.readUInt32BE(row)
    return time - segment.readUInt32BE(row) + segment.readInt32BE(row + 12)
  })
}

test.each(frameKindRows)(
  'the segments of a clip with %s show every frame at the same time as the clip',
  (_, pictures) => {
    const file = muxMp4(pictures, FPS)
    const moov = decodeBoxes(file).find(({ type }) => type === 'moov')
    const segments = cutSegments(readTracks(file.subarray(moov?.start, moov?.end)))
    expect(segments).toHaveLength(2)
    const times = segments.flatMap((segment, i) => {
      const { from, to } = getSegmentByteRange(segment)
      return readSegmentTimes(Buffer.from(buildMediaSegment(segment, i, file.subarray(from, to))))
    })
    expect(times).toEqual(computePresentationOrder(pictures).map((place) => place * 1000))
  },
)

/** Returns the relayed stream for a viewer who connects after the camera has sent `sentCount` frames. */
function relayFrames(units: readonly AccessUnit[], sentCount: number): Buffer {
  const sent: Buffer[] = []
  let show: ((unit: AccessUnit) => void) | undefined
  const source: LensFrames = {
    getGop: () =>
      units.slice(
        units.slice(0, sentCount).findLastIndex(({ keyframe }) => keyframe),
        sentCount,
      ),
    watch: (onUnit) => {
      show = onUnit
      return () => undefined
    },
  }
  const open = () => ({
    send: (message: Buffer) => sent.push(message),
    waiting: 0,
    isOpen: true,
    close: () => undefined,
  })
  new VideoRelay(source, { name: '', epoch: new RelayClock(), open, ended: () => undefined })
  for (const unit of units.slice(sentCount)) show?.(unit)
  return Buffer.concat(
    sent.map((message) => message.subarray(message[0] === RELAY_MESSAGE_TYPES.init ? 2 + (message[1] ?? 0) : 1)),
  )
}

test.each(frameKindRows)('a live stream with %s shows every frame in order, near its arrival time', (_, pictures) => {
  const units = addArrivalTimes(pictures)
  const times = readPresentationTimes(relayFrames(units, 8))
  expect(times).toHaveLength(60)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  const begin = (units[0]?.pts ?? 0) / 1000 - (times[0] ?? 0)
  times.forEach((time, i) => expect(Math.abs(time + begin - (units[i]?.pts ?? 0) / 1000)).toBeLessThan(0.15))
})

test('with only a keyframe received from a B-frame camera, the order is right from the next keyframe', () => {
  const times = readPresentationTimes(relayFrames(addArrivalTimes(PYRAMID_FRAMES), 1)).slice(15)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

test.each([5, 15, 25])('a late frame at %i frames per second makes no player wait for a keyframe', (fps) => {
  const file = relayFrames(addArrivalTimes(FRAME_KINDS['no B-frames, picture order count type 2'], fps), 8)
  const times: { at: number; duration: number }[] = []
  for (let at = file.indexOf('tfdt'); at !== -1; at = file.indexOf('tfdt', at + 1)) {
    const duration = file.readUInt32BE(file.indexOf('trun', at) + 16)
    times.push({ at: Number(file.readBigUInt64BE(at + 8)), duration })
  }
  // If two frames are further apart than twice the duration of the first frame, Media Source Extensions drop all frames
  // until the next keyframe (coded frame processing algorithm).
  const held = times.slice(1).filter(({ at }, i) => at - (times[i]?.at ?? 0) > 2 * (times[i]?.duration ?? 0))
  expect([times.length, held]).toEqual([60, []])
})
