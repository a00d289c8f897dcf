import { expect, test } from 'vitest'
import { splitNals, splitPictures } from '../../../../bridge/media/h264/annex-b.ts'
import { ACTION, annexB, PICTURES } from '../../../support/bridge-streams.ts'

const delimiter = Buffer.from([9, 0xf0])
const idr = Buffer.from([0x65, 0x88, 1, 2, 3])
const secondSlice = Buffer.from([0x65, 0x08, 4, 5])
const slice = Buffer.from([0x41, 0x9a, 7])

test('a rendered action has the expected frame count and a keyframe with parameter sets every second', () => {
  expect(PICTURES).toHaveLength(ACTION.frames)
  const keyframes = PICTURES.flatMap((picture, i) => (picture.keyframe ? [i] : []))
  expect(keyframes).toEqual(Array.from({ length: Math.ceil(ACTION.frames / 15) }, (_, i) => i * 15))
  for (const i of keyframes) expect(PICTURES[i]?.nals.slice(0, 2).map((nal) => (nal[0] ?? 0) & 31)).toEqual([7, 8])
})

test('start codes of three and four bytes are split the same way', () => {
  const nals = [delimiter, idr, slice]
  expect(splitNals(annexB(nals, [0, 0, 1]))).toEqual(nals)
  expect(splitNals(annexB(nals))).toEqual(nals)
})

test('slices of one frame stay together and delimiters are omitted', () => {
  const pictures = splitPictures(annexB([delimiter, idr, secondSlice, delimiter, slice]))
  expect(pictures).toEqual([
    { nals: [idr, secondSlice], keyframe: true },
    { nals: [slice], keyframe: false },
  ])
})
