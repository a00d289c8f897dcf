import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  getNalType,
  NAL_TYPE,
  splitNals,
  splitFrames,
  type EncodedFrame,
} from '../../../../bridge/media/h264/annex-b.ts'
import { PictureOrder, computePresentationOrder } from '../../../../bridge/media/h264/picture-order-count.ts'
import { selectNewestParameterSets } from '../../../../bridge/media/h264/parameter-sets.ts'
import { readFrameHeight, readFrameSize, parseSequenceParameters } from '../../../../bridge/media/h264/sps.ts'
import { muxWithTimes } from '../../../../bridge/media/mp4/muxer.ts'
import { createVideoInitialization } from '../../../../bridge/relay/fmp4-fragments.ts'
import { PresentationTimes } from '../../../../bridge/relay/presentation-times.ts'
import { joinAnnexB, encodeTestPattern, ACTION_PICTURES } from '../../../support/bridge-streams.ts'
import { returnOrCatchError } from '../../../support/cases.ts'

const RUN_OPTIONS = { seed: 48, numRuns: 3000 }
const PYRAMID_FRAMES = encodeTestPattern('bframes=3:b-pyramid=normal').slice(0, 24)
const SPS_NALS = [PYRAMID_FRAMES, ACTION_PICTURES].map((pictures) =>
  pictures[0]?.nals.find((nal) => getNalType(nal) === NAL_TYPE.sps),
)
const [HIGH_SPS = Buffer.alloc(0), BASELINE_SPS = Buffer.alloc(0)] = SPS_NALS

/** Returns a NAL unit with this header byte. `text`: the payload bits as 0 and 1; spaces are ignored. */
const buildNal = (header: number, text: string): Buffer => {
  const bits = `${text.replaceAll(' ', '')}1`
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? []
  return Buffer.from([header, ...bytes.map((byte) => Number.parseInt(byte, 2))])
}
const encodeUe = (value: number) => (value + 1).toString(2).padStart(2 * (value + 1).toString(2).length - 1, '0')
const encodeSe = (value: number) => encodeUe(value > 0 ? 2 * value - 1 : -2 * value)
const encodeBits = (value: number, bits: number) => value.toString(2).padStart(bits, '0')

/** Returns a baseline SPS. `order`: the bits of pic_order_cnt_type and the fields that depend on it. */
const buildSps = ({ order = encodeUe(2), columns = encodeUe(19), rows = encodeUe(11), crop = '0' }) =>
  buildNal(
    0x67,
    [
      encodeBits(66, 8),
      encodeBits(0, 8),
      encodeBits(30, 8),
      encodeUe(0),
      encodeUe(0),
      order,
      encodeUe(1),
      '0',
      columns,
      rows,
      '11',
      crop,
      '0',
    ].join(''),
  )

const damageArbitrary = fc.record({
  turned: fc.array(fc.nat({ max: 1 << 20 }), { maxLength: 6 }),
  put: fc.array(fc.tuple(fc.nat({ max: 1 << 20 }), fc.constantFrom(0, 3, 0xff)), { maxLength: 4 }),
  cut: fc.nat({ max: 40 }),
})
function applyDamage(
  nal: Buffer,
  { turned, put, cut }: typeof damageArbitrary extends fc.Arbitrary<infer T> ? T : never,
): Buffer {
  const bytes = Buffer.from(nal.subarray(0, Math.max(1, nal.length - (cut > 30 ? cut - 30 : 0))))
  for (const bit of turned) bytes[(bit >> 3) % bytes.length]! ^= 1 << (bit & 7)
  for (const [at, value] of put) bytes[at % bytes.length] = value
  return bytes
}

test('a parameter set with impossible values is rejected', () => {
  const sound = buildSps({})
  expect(readFrameSize(sound)).toEqual({ width: 320, height: 192 })
  const wrong = {
    cut: sound.subarray(0, 6),
    empty: Buffer.alloc(0),
    zeros: Buffer.alloc(4000),
    'an exp-Golomb code that is too long': buildSps({ columns: '0'.repeat(40) }),
    'too wide': buildSps({ columns: encodeUe(5000) }),
    'cropped to size zero': buildSps({ crop: `1${encodeUe(0)}${encodeUe(160)}${encodeUe(0)}${encodeUe(0)}` }),
    'cropped to a negative size': buildSps({ crop: `1${encodeUe(0)}${encodeUe(0)}${encodeUe(90)}${encodeUe(90)}` }),
    'an unknown pic_order_cnt_type': buildSps({ order: encodeUe(3) }),
    'an endless picture order cycle': buildSps({
      order: `${encodeUe(1)}0${encodeSe(0)}${encodeSe(0)}${encodeUe(100_000)}`,
    }),
  }
  for (const [name, sps] of Object.entries(wrong)) expect(() => readFrameSize(sps), name).toThrow(RangeError)
})

test('picture order count type 1 follows its cycle and the delta of each slice', () => {
  const sps = buildSps({
    order: `${encodeUe(1)}0${encodeSe(-1)}${encodeSe(0)}${encodeUe(2)}${encodeSe(2)}${encodeSe(4)}`,
  })
  const slice = (header: number, frame: number, delta: number) =>
    buildNal(
      header,
      [
        encodeUe(0),
        encodeUe(0),
        encodeUe(0),
        encodeBits(frame, 4),
        header === 0x65 ? encodeUe(0) : '',
        encodeSe(delta),
        '0',
      ].join(''),
    )
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
    fc.property(fc.constantFrom(HIGH_SPS, BASELINE_SPS), damageArbitrary, (sps, how) => {
      const read = returnOrCatchError(() => parseSequenceParameters(applyDamage(sps, how)))
      const isSize = (pixels: number) => pixels > 0 && pixels < 40_000
      expect(read instanceof RangeError || ('width' in read && isSize(read.width) && isSize(read.height))).toBe(true)
    }),
    RUN_OPTIONS,
  )
})

/** Generates streams in which about one frame in five has damaged NAL units. */
const damagedStreamArbitrary = fc
  .tuple(
    fc.constantFrom(PYRAMID_FRAMES, ACTION_PICTURES.slice(0, 24)),
    fc.array(fc.tuple(fc.nat({ max: 4 }), damageArbitrary), { minLength: 24, maxLength: 24 }),
  )
  .map(([pictures, plan]) =>
    pictures.map(({ nals, keyframe }, i): EncodedFrame => {
      const [chance, how] = plan[i] ?? [1, undefined]
      return { keyframe, nals: nals.map((nal) => (chance === 0 && how ? applyDamage(nal, how) : nal)) }
    }),
  )

test('any frames that a camera sends get a presentation order, a recording position and a relay timestamp', () => {
  fc.assert(
    fc.property(damagedStreamArbitrary, (pictures) => {
      expect(computePresentationOrder(pictures).toSorted((a, b) => a - b)).toEqual(pictures.map((_, i) => i))
      const units = pictures.map((picture, i) => ({ ...picture, pts: i * 66 }))
      const times = new PresentationTimes()
      for (const unit of units) expect(Number.isFinite(times.getTimes(unit).shown)).toBe(true)
      for (const unit of units.slice(0, 2)) {
        selectNewestParameterSets(unit.nals)
        readFrameHeight(unit)
        createVideoInitialization(unit)
      }
      const muxed = returnOrCatchError(() => muxWithTimes(units))
      expect(!(muxed instanceof Error) || muxed instanceof RangeError).toBe(true)
    }),
    { ...RUN_OPTIONS, numRuns: 1000 },
  )
})

test('damaged bytes between start codes are split into non-empty NAL units', () => {
  const stream = joinAnnexB(PYRAMID_FRAMES.slice(0, 6).flatMap(({ nals }) => nals.map((nal) => nal.subarray(0, 60))))
  fc.assert(
    fc.property(damageArbitrary, (how) => {
      const bytes = applyDamage(stream, how)
      for (const nal of splitNals(bytes)) expect(nal.length).toBeGreaterThan(0)
      for (const { nals } of splitFrames(bytes)) expect(nals.length).toBeGreaterThan(0)
    }),
    RUN_OPTIONS,
  )
})
