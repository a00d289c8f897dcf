import { expect, test } from 'vitest'
import { splitNals, splitFrames } from '../../../../bridge/media/h264/annex-b.ts'
import { DRIVEWAY_ACTION, joinAnnexB, ACTION_PICTURES } from '../../../support/bridge-streams.ts'

const accessUnitDelimiter = Buffer.from([9, 0xf0])
const idrSlice = Buffer.from([0x65, 0x88, 1, 2, 3])
const secondSlice = Buffer.from([0x65, 0x08, 4, 5])
const slice = Buffer.from([0x41, 0x9a, 7])

test('a rendered action has the expected frame count and a keyframe with parameter sets every second', () => {
  expect(ACTION_PICTURES).toHaveLength(DRIVEWAY_ACTION.frames)
  const keyframes = ACTION_PICTURES.flatMap((picture, i) => (picture.keyframe ? [i] : []))
  expect(keyframes).toEqual(Array.from({ length: Math.ceil(DRIVEWAY_ACTION.frames / 15) }, (_, i) => i * 15))
  for (const i of keyframes)
    expect(ACTION_PICTURES[i]?.nals.slice(0, 2).map((nal) => (nal[0] ?? 0) & 31)).toEqual([7, 8])
})

test('start codes of three and four bytes are split the same way', () => {
  const nals = [accessUnitDelimiter, idrSlice, slice]
  expect(splitNals(joinAnnexB(nals, [0, 0, 1]))).toEqual(nals)
  expect(splitNals(joinAnnexB(nals))).toEqual(nals)
})

test('slices of one frame stay together and delimiters are omitted', () => {
  const pictures = splitFrames(joinAnnexB([accessUnitDelimiter, idrSlice, secondSlice, accessUnitDelimiter, slice]))
  expect(pictures).toEqual([
    { nals: [idrSlice, secondSlice], keyframe: true },
    { nals: [slice], keyframe: false },
  ])
})
