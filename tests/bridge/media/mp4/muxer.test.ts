import { expect, test } from 'vitest'
import { getNalType, NAL_TYPE } from '../../../../bridge/media/h264/annex-b.ts'
import { readFrameSize } from '../../../../bridge/media/h264/sps.ts'
import { appendToMediaData, createBox } from '../../../../bridge/media/mp4/boxes.ts'
import { muxMp4 } from '../../../../bridge/media/mp4/muxer.ts'
import { ACTION_PICTURES, readPresentationTimes, withSecondPps } from '../../../support/bridge-streams.ts'

const CONTAINER_TYPES = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'dinf'])

/** Returns the boxes by path, such as `moov/trak/mdia`. `at`: file offset of the box content. */
function readBoxes(file: Buffer, from = 0, to = file.length, path = ''): Map<string, { at: number; body: Buffer }> {
  const found = new Map<string, { at: number; body: Buffer }>()
  for (let at = from; at < to; at += file.readUInt32BE(at)) {
    const end = at + file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    found.set(path + type, { at: at + 8, body: file.subarray(at + 8, end) })
    if (CONTAINER_TYPES.has(type))
      for (const [name, box] of readBoxes(file, at + 8, end, `${path}${type}/`)) found.set(name, box)
  }
  return found
}

const clipFrames = ACTION_PICTURES.slice(15, 15 + 46)
const clipFile = muxMp4(clipFrames, 15)
const boxes = readBoxes(clipFile)
const getBoxBody = (path: string) => boxes.get(path)?.body ?? Buffer.alloc(0)
const readUint32s = (data: Buffer, from = 0) =>
  Array.from({ length: (data.length - from) / 4 }, (_, i) => data.readUInt32BE(from + i * 4))
const SAMPLE_TABLE_PATH = 'moov/trak/mdia/minf/stbl'

test('a clip can play while it loads because its index precedes its frames', () => {
  expect([...boxes.keys()].filter((path) => !path.includes('/'))).toEqual(['ftyp', 'moov', 'mdat'])
})

test('a clip lasts exactly as long as its frames', () => {
  const [, , , timescale, duration] = readUint32s(getBoxBody('moov/mvhd'))
  expect((duration ?? 0) / (timescale ?? 1)).toBe(46 / 15)
  expect(readUint32s(getBoxBody(`${SAMPLE_TABLE_PATH}/stts`), 4)).toEqual([1, 46, 1000])
})

test('a clip is seekable to each of its keyframes', () => {
  expect(readUint32s(getBoxBody(`${SAMPLE_TABLE_PATH}/stss`), 4)).toEqual([4, 1, 16, 31, 46])
})

test('the sample table points to the bytes of each frame', () => {
  const [, count, ...sizes] = readUint32s(getBoxBody(`${SAMPLE_TABLE_PATH}/stsz`), 4)
  expect(count).toBe(46)
  let [, offset = 0] = readUint32s(getBoxBody(`${SAMPLE_TABLE_PATH}/stco`), 4)
  expect(offset).toBe(boxes.get('mdat')?.at)
  clipFrames.forEach((picture, i) => {
    const nals = []
    const end = offset + (sizes[i] ?? 0)
    while (offset < end) {
      const length = clipFile.readUInt32BE(offset)
      nals.push(clipFile.subarray(offset + 4, offset + 4 + length))
      offset += 4 + length
    }
    expect(nals).toEqual(picture.nals.filter((nal) => ![7, 8].includes((nal[0] ?? 0) & 31)))
  })
  expect(offset).toBe(clipFile.length)
})

test('a clip states the size of its frames', () => {
  const size = readFrameSize(clipFrames[0]?.nals[0] ?? Buffer.alloc(0))
  expect(size).toEqual({ width: 640, height: 360 })
  expect(readUint32s(getBoxBody('moov/trak/tkhd')).slice(-2)).toEqual([640 << 16, 360 << 16])
})

test('a clip that starts between keyframes is rejected', () => {
  expect(() => muxMp4(ACTION_PICTURES.slice(1, 20), 15)).toThrow(RangeError)
})

test.each(['keyframe', 'next picture'] as const)(
  'all frames of a clip decode if some refer to a second PPS (in the %s)',
  (place) => {
    const pictures = withSecondPps(clipFrames, place)
    expect(readPresentationTimes(muxMp4(pictures, 15))).toHaveLength(46)
  },
)

test('parameter sets that change under the same id stay in their frames, and the clip declares avc3', () => {
  const [first] = withSecondPps(clipFrames, 'keyframe')
  const second = first!.nals.findLast((nal) => getNalType(nal) === NAL_TYPE.pps)!
  const other = Buffer.concat([second, Buffer.from([1])])
  const changed = withSecondPps(clipFrames, 'keyframe').map((picture, i) =>
    i === 20 ? { ...picture, nals: [other, second, ...picture.nals] } : picture,
  )
  const muxed = muxMp4(changed, 15)
  expect([muxed.includes('avc3'), muxed.includes('avc1', muxed.indexOf('stsd'))]).toEqual([true, false])
  expect(muxed.includes(other, muxed.indexOf('mdat'))).toBe(true)
  expect(readPresentationTimes(muxed)).toHaveLength(46)
  expect(muxMp4(clipFrames, 15).includes('avc3')).toBe(false)
})

test('bytes at the end of the media data change neither the boxes nor the frames of a clip', () => {
  const thumbnail = Buffer.alloc(30_000, 'thumbnail')
  const extended = appendToMediaData(clipFile, thumbnail) ?? Buffer.alloc(0)
  expect(extended.subarray(-thumbnail.length).equals(thumbnail)).toBe(true)
  expect([...readBoxes(extended).keys()]).toEqual([...boxes.keys()])
  expect(readPresentationTimes(extended)).toEqual(readPresentationTimes(clipFile))
})

test.each([
  ['empty', Buffer.alloc(0)],
  ['followed by another box', Buffer.concat([clipFile, createBox('free')])],
  ['truncated', clipFile.subarray(0, -1)],
  ['of an unknown length', Buffer.from([0, 0, 0, 0, ...Buffer.from('mdat')])],
])('bytes are not appended to media data that are %s', (_name, file) => {
  expect(appendToMediaData(file, Buffer.from('thumbnail'))).toBeNull()
})
