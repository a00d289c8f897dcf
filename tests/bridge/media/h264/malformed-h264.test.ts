import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nalType, NAL, splitNals, splitPictures, type Picture } from '../../../../bridge/media/h264/annex-b.ts'
import { PictureOrder, shownOrder } from '../../../../bridge/media/h264/picture-order-count.ts'
import { newestSets } from '../../../../bridge/media/h264/parameter-sets.ts'
import { readPictureHeight, pictureSize, readSequence } from '../../../../bridge/media/h264/sps.ts'
import { muxTimed } from '../../../../bridge/media/mp4/muxer.ts'
import { createVideoInitialization } from '../../../../bridge/relay/fmp4-fragments.ts'
import { PresentationTimes } from '../../../../bridge/relay/presentation-times.ts'
import { annexB, encode, PICTURES } from '../../../support/bridge-streams.ts'
import { captureOutcome } from '../../../support/cases.ts'

const RUNS = { seed: 48, numRuns: 3000 }
const PYRAMID = encode('bframes=3:b-pyramid=normal').slice(0, 24)
const SETS = [PYRAMID, PICTURES].map((pictures) => pictures[0]?.nals.find((nal) => nalType(nal) === NAL.sps))
const [HIGH = Buffer.alloc(0), BASELINE = Buffer.alloc(0)] = SETS

/** Returns a NAL unit with this header byte. `text`: the payload's bits as 0 and 1, in `u`, `ue` and `se` encoding. */
const ofBits = (header: number, text: string): Buffer => {
  const bits = `${text.replaceAll(' ', '')}1`
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? []
  return Buffer.from([header, ...bytes.map((byte) => Number.parseInt(byte, 2))])
}
const ue = (value: number) => (value + 1).toString(2).padStart(2 * (value + 1).toString(2).length - 1, '0')
const se = (value: number) => ue(value > 0 ? 2 * value - 1 : -2 * value)
const u = (value: number, bits: number) => value.toString(2).padStart(bits, '0')

/** Baseline sequence parameter set; `order` is pic_order_cnt_type and the fields after it. */
const set = ({ order = ue(2), columns = ue(19), rows = ue(11), crop = '0' }) =>
  ofBits(0x67, [u(66, 8), u(0, 8), u(30, 8), ue(0), ue(0), order, ue(1), '0', columns, rows, '11', crop, '0'].join(''))

const damage = fc.record({
  turned: fc.array(fc.nat({ max: 1 << 20 }), { maxLength: 6 }),
  put: fc.array(fc.tuple(fc.nat({ max: 1 << 20 }), fc.constantFrom(0, 3, 0xff)), { maxLength: 4 }),
  cut: fc.nat({ max: 40 }),
})
function damaged(nal: Buffer, { turned, put, cut }: typeof damage extends fc.Arbitrary<infer T> ? T : never): Buffer {
  const bytes = Buffer.from(nal.subarray(0, Math.max(1, nal.length - (cut > 30 ? cut - 30 : 0))))
  for (const bit of turned) bytes[(bit >> 3) % bytes.length]! ^= 1 << (bit & 7)
  for (const [at, value] of put) bytes[at % bytes.length] = value
  return bytes
}

test('a parameter set with impossible values is rejected', () => {
  const sound = set({})
  expect(pictureSize(sound)).toEqual({ width: 320, height: 192 })
  const wrong = {
    cut: sound.subarray(0, 6),
    empty: Buffer.alloc(0),
    zeros: Buffer.alloc(4000),
    'too long a code': set({ columns: '0'.repeat(40) }),
    'too wide': set({ columns: ue(5000) }),
    'cropped to nothing': set({ crop: `1${ue(0)}${ue(160)}${ue(0)}${ue(0)}` }),
    'cropped to less than nothing': set({ crop: `1${ue(0)}${ue(0)}${ue(90)}${ue(90)}` }),
    'an order of no type': set({ order: ue(3) }),
    'a cycle without end': set({ order: `${ue(1)}0${se(0)}${se(0)}${ue(100_000)}` }),
  }
  for (const [name, sps] of Object.entries(wrong)) expect(() => pictureSize(sps), name).toThrow(RangeError)
})

test('picture order count type 1 follows its cycle and the delta of each slice', () => {
  const sps = set({ order: `${ue(1)}0${se(-1)}${se(0)}${ue(2)}${se(2)}${se(4)}` })
  const slice = (header: number, frame: number, delta: number) =>
    ofBits(header, [ue(0), ue(0), ue(0), u(frame, 4), header === 0x65 ? ue(0) : '', se(delta), '0'].join(''))
  const nals = [
    [sps, slice(0x65, 0, 0)],
    [slice(0x41, 1, 0)],
    [slice(0x01, 2, 0)],
    [slice(0x41, 2, 1)],
    [slice(0x41, 3, 0)],
  ]
  const order = new PictureOrder()
  const counts = nals.map((of, i) => order.readCount({ nals: of, keyframe: i === 0 }))
  expect(counts).toEqual([0, 2, 1, 7, 8])
})

test('a damaged parameter set is parsed, or rejected with a RangeError', () => {
  fc.assert(
    fc.property(fc.constantFrom(HIGH, BASELINE), damage, (sps, how) => {
      const read = captureOutcome(() => readSequence(damaged(sps, how)))
      const isSize = (pixels: number) => pixels > 0 && pixels < 40_000
      expect(read instanceof RangeError || ('width' in read && isSize(read.width) && isSize(read.height))).toBe(true)
    }),
    RUNS,
  )
})

/** Streams in which about one frame in five has damaged NAL units. */
const hostile = fc
  .tuple(
    fc.constantFrom(PYRAMID, PICTURES.slice(0, 24)),
    fc.array(fc.tuple(fc.nat({ max: 4 }), damage), { minLength: 24, maxLength: 24 }),
  )
  .map(([pictures, plan]) =>
    pictures.map(({ nals, keyframe }, i): Picture => {
      const [chance, how] = plan[i] ?? [1, undefined]
      return { keyframe, nals: nals.map((nal) => (chance === 0 && how ? damaged(nal, how) : nal)) }
    }),
  )

test('any frames that a camera sends get a presentation order, a recording position and a relay timestamp', () => {
  fc.assert(
    fc.property(hostile, (pictures) => {
      expect(shownOrder(pictures).toSorted((a, b) => a - b)).toEqual(pictures.map((_, i) => i))
      const units = pictures.map((picture, i) => ({ ...picture, pts: i * 66 }))
      const times = new PresentationTimes()
      for (const unit of units) expect(Number.isFinite(times.of(unit).shown)).toBe(true)
      for (const unit of units.slice(0, 2)) {
        newestSets(unit.nals)
        readPictureHeight(unit)
        createVideoInitialization(unit)
      }
      const muxed = captureOutcome(() => muxTimed(units))
      expect(!(muxed instanceof Error) || muxed instanceof RangeError).toBe(true)
    }),
    { ...RUNS, numRuns: 1000 },
  )
})

test('damaged bytes between start codes are split into non-empty NAL units', () => {
  const stream = annexB(PYRAMID.slice(0, 6).flatMap(({ nals }) => nals.map((nal) => nal.subarray(0, 60))))
  fc.assert(
    fc.property(damage, (how) => {
      const bytes = damaged(stream, how)
      for (const nal of splitNals(bytes)) expect(nal.length).toBeGreaterThan(0)
      for (const { nals } of splitPictures(bytes)) expect(nals.length).toBeGreaterThan(0)
    }),
    RUNS,
  )
})
