import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AnnexBSplitter, splitNals, splitPictures } from '../../bridge/h264/annex-b.ts'
import { ACTION, annexB, PICTURES, STREAM } from './streams.ts'

const delimiter = Buffer.from([9, 0xf0])
const idr = Buffer.from([0x65, 0x88, 1, 2, 3])
const secondSlice = Buffer.from([0x65, 0x08, 4, 5])
const slice = Buffer.from([0x41, 0x9a, 7])

test('a rendered action has its frames, and a keyframe with parameter sets each second', () => {
  expect(PICTURES).toHaveLength(ACTION.frames)
  const keyframes = PICTURES.flatMap((picture, i) => (picture.keyframe ? [i] : []))
  expect(keyframes).toEqual(Array.from({ length: Math.ceil(ACTION.frames / 15) }, (_, i) => i * 15))
  for (const i of keyframes) expect(PICTURES[i]?.nals.slice(0, 2).map((nal) => (nal[0] ?? 0) & 31)).toEqual([7, 8])
})

test('start codes of three and of four bytes split alike', () => {
  const nals = [delimiter, idr, slice]
  expect(splitNals(annexB(nals, [0, 0, 1]))).toEqual(nals)
  expect(splitNals(annexB(nals))).toEqual(nals)
})

test('slices of one picture stay together and delimiters are left out', () => {
  const pictures = splitPictures(annexB([delimiter, idr, secondSlice, delimiter, slice]))
  expect(pictures).toEqual([
    { nals: [idr, secondSlice], keyframe: true },
    { nals: [slice], keyframe: false },
  ])
})

test('a live stream gives the same pictures wherever its bytes are cut', () => {
  const short = STREAM.subarray(0, 60_000)
  const whole = splitPictures(short)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 40 }), (cuts) => {
      const splitter = new AnnexBSplitter()
      const pictures = []
      let from = 0
      for (let i = 0; from < short.length; i++) {
        const to = from + (cuts[i % cuts.length] ?? 1)
        pictures.push(...splitter.push(short.subarray(from, to)))
        from = to
      }
      expect([...pictures, ...splitter.end()]).toEqual(whole)
    }),
    { numRuns: 30 },
  )
})

test('a stream without start codes is given up', () => {
  const splitter = new AnnexBSplitter()
  expect(() => splitter.push(Buffer.alloc(9_000_000, 2))).toThrow(RangeError)
})
