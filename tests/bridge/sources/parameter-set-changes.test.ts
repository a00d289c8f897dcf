import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { nalType, NAL } from '../../../bridge/media/h264/annex-b.ts'
import { newestSets } from '../../../bridge/media/h264/parameter-sets.ts'
import { readPictureHeight } from '../../../bridge/media/h264/sps.ts'
import { patience, switchOn, watch } from '../../support/watched-camera.ts'
import { ACTION, annexB, PICTURES, STREAM } from '../../support/bridge-streams.ts'

const LARGE = readFileSync(new URL(`../../../scenes/${ACTION.files['720'] ?? ''}`, import.meta.url))

test('a camera that switches to a larger resolution keeps playing, with only its new parameter sets', async () => {
  const server = await switchOn({ stream: STREAM })
  const { states, units, source } = watch(server.url())
  await vi.waitUntil(() => units.length > 20, patience)
  server.change(LARGE)
  await vi.waitUntil(() => readPictureHeight(source.group()[0]) === 720, patience)
  expect([states, server.plays]).toEqual([['live'], 1])
  const sets = source.group()[0]!.nals.filter((nal) => nalType(nal) === NAL.sps || nalType(nal) === NAL.pps)
  expect(sets.map(nalType)).toEqual([NAL.sps, NAL.pps])
})

test('a camera that restarts with different parameter sets plays again with the new ones', async () => {
  const server = await switchOn({ stream: STREAM })
  const { states, units, source } = watch(server.url())
  await vi.waitUntil(() => units.length > 5, patience)
  server.change(LARGE)
  server.drop()
  await vi.waitUntil(() => states.length === 3, patience)
  await vi.waitUntil(() => readPictureHeight(source.group()[0]) === 720, patience)
})

test('viewers keep watching when keyframes are further apart than the buffered frames', async () => {
  const [first, ...rest] = PICTURES.slice(0, 15)
  const long = [first!, ...Array.from({ length: 50 }, () => rest).flat()]
  const stream = annexB(long.flatMap((picture) => picture.nals))
  const server = await switchOn({ stream, fps: 120 })
  const { units, source } = watch(server.url())
  await vi.waitUntil(() => units.length > 620, patience)
  expect(units.slice(600, 620).every((unit) => !unit.keyframe)).toBe(true)
  expect(source.group()).toEqual([])
})

test('the last of several successive parameter sets wins, and sets with different ids are kept', () => {
  const [sps, pps] = PICTURES[0]!.nals.slice(0, 2)
  const slice = PICTURES[0]!.nals.at(-1)!
  const other = Buffer.concat([sps!, Buffer.from([1])])
  const otherPps = Buffer.concat([pps!, Buffer.from([1])])
  expect(newestSets([sps!, pps!, other, otherPps, slice])).toEqual([other, otherPps, slice])
  expect(newestSets([sps!, pps!, slice])).toEqual([sps, pps, slice])
  // Changes the PPS id from 0 to 1: in ue(v) encoding, `010` replaces `1`.
  const second = Buffer.from([pps![0]!, 0b0100_0000 | (pps![1]! & 0b0001_1111), ...pps!.subarray(2)])
  expect(newestSets([sps!, pps!, second, slice])).toEqual([sps, pps, second, slice])
})
