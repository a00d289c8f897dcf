import { expect, test } from 'vitest'
import { RELAY } from '../../../../contract/live/relay-protocol.ts'
import type { AccessUnit, Picture } from '../../../../bridge/media/h264/annex-b.ts'
import { shownOrder } from '../../../../bridge/media/h264/picture-order-count.ts'
import { muxMp4, muxTimed } from '../../../../bridge/media/mp4/muxer.ts'
import { RelayClock } from '../../../../bridge/relay/relay-clock.ts'
import { Relay } from '../../../../bridge/relay/video-relay.ts'
import type { LensFrames } from '../../../../bridge/sources/video-source.ts'
import { cutSegments, mediaSegment, segmentRange } from '../../../../provider/media/hls-segments.ts'
import { decodeBoxes, readTracks } from '../../../../provider/media/mp4-samples.ts'
import { encode, shownTimes } from '../../../support/bridge-streams.ts'

const FPS = 15
const PYRAMID = encode('bframes=3:b-pyramid=normal')
const KINDS = {
  'three B-frames': encode('bframes=3:b-pyramid=none'),
  'three B-frames, one of which others refer to': PYRAMID,
  'three B-frames in four slices a picture': encode('bframes=3:slices=4'),
  'B-frames of interlaced pictures': encode('bframes=2:tff=1'),
  'no B-frames, in the order of type 2': encode('bframes=0'),
}
const kinds = Object.entries(KINDS)
const ofFrames = (count: number) => Array.from({ length: count }, (_, i) => i / FPS)
/** Times are rounded to ticks of the 90 kHz timescale. */
const near = (seconds: readonly number[]) => seconds.map((value) => expect.closeTo(value, 3) as number)

/** Timestamps as the network delivers them: up to 20 ms early or late. */
const arriving = (pictures: readonly Picture[], fps = FPS): AccessUnit[] =>
  pictures.map((picture, i) => ({ ...picture, pts: 1_000_000 + (i * 1000) / fps + ((i * 7919) % 41) - 20 }))

test.each(kinds)('a clip with %s shows every frame in presentation order, the first at 0', (_, pictures) => {
  expect(shownTimes(muxMp4(pictures, FPS))).toEqual(near(ofFrames(60)))
})

test('a recording with B-frames has frame times as even as one without', () => {
  const even = PYRAMID.map((picture, i) => ({ ...picture, pts: (i * 1000) / FPS }))
  expect(shownTimes(Buffer.concat(muxTimed(even).parts))).toEqual(near(ofFrames(60)))
})

test('a recording with B-frames and lost frames never steps back in time', () => {
  const rest = arriving(PYRAMID).filter((_, i) => i % 15 === 0 || i % 7 !== 3)
  const times = shownTimes(Buffer.concat(muxTimed(rest).parts))
  expect(times.length).toBeGreaterThan(40)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

/**
 * Returns the presentation times of a media segment in decode order, in ticks, from `tfdt` and `trun`. Each `trun` row
 * starts with the duration and ends with the composition offset.
 */
function readTimes(piece: Buffer): number[] {
  const run = piece.indexOf('trun') + 4
  let time = piece.readUInt32BE(piece.indexOf('tfdt') + 8)
  return Array.from({ length: piece.readUInt32BE(run + 4) }, (_, i) => {
    const row = run + 12 + 16 * i
    time += piece.readUInt32BE(row)
    return time - piece.readUInt32BE(row) + piece.readInt32BE(row + 12)
  })
}

test.each(kinds)('the segments of a clip with %s show every frame at the same time as the clip', (_, pictures) => {
  const file = muxMp4(pictures, FPS)
  const moov = decodeBoxes(file).find(({ type }) => type === 'moov')
  const segments = cutSegments(readTracks(file.subarray(moov?.start, moov?.end)))
  expect(segments).toHaveLength(2)
  const times = segments.flatMap((segment, i) => {
    const { from, to } = segmentRange(segment)
    return readTimes(Buffer.from(mediaSegment(segment, i, file.subarray(from, to))))
  })
  expect(times).toEqual(shownOrder(pictures).map((place) => place * 1000))
})

/** Returns the stream that a player gets from a camera that has sent `shownCount` frames before the viewer connects. */
function relayed(units: readonly AccessUnit[], shownCount: number): Buffer {
  const sent: Buffer[] = []
  let show: ((unit: AccessUnit) => void) | undefined
  const source: LensFrames = {
    group: () =>
      units.slice(
        units.slice(0, shownCount).findLastIndex(({ keyframe }) => keyframe),
        shownCount,
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
  new Relay(source, { name: '', epoch: new RelayClock(), open, ended: () => undefined })
  for (const unit of units.slice(shownCount)) show?.(unit)
  return Buffer.concat(sent.map((message) => message.subarray(message[0] === RELAY.init ? 2 + (message[1] ?? 0) : 1)))
}

test.each(kinds)('a live stream with %s shows every frame in order, near its arrival time', (_, pictures) => {
  const units = arriving(pictures)
  const times = shownTimes(relayed(units, 8))
  expect(times).toHaveLength(60)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  const begin = (units[0]?.pts ?? 0) / 1000 - (times[0] ?? 0)
  times.forEach((time, i) => expect(Math.abs(time + begin - (units[i]?.pts ?? 0) / 1000)).toBeLessThan(0.15))
})

test('with only a keyframe received from a B-frame camera, the order is right from the next keyframe', () => {
  const times = shownTimes(relayed(arriving(PYRAMID), 1)).slice(15)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

test.each([5, 15, 25])('a late frame at %i frames per second makes no player wait for a keyframe', (fps) => {
  const file = relayed(arriving(KINDS['no B-frames, in the order of type 2'], fps), 8)
  const times: { at: number; duration: number }[] = []
  for (let at = file.indexOf('tfdt'); at !== -1; at = file.indexOf('tfdt', at + 1)) {
    const duration = file.readUInt32BE(file.indexOf('trun', at) + 16)
    times.push({ at: Number(file.readBigUInt64BE(at + 8)), duration })
  }
  // The coded frame processing algorithm of Media Source Extensions drops frames until the next keyframe if a gap
  // exceeds twice the duration of the last frame.
  const held = times.slice(1).filter(({ at }, i) => at - (times[i]?.at ?? 0) > 2 * (times[i]?.duration ?? 0))
  expect([times.length, held]).toEqual([60, []])
})
