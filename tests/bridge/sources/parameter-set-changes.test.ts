import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { getNalType, NAL_TYPE } from '../../../bridge/media/h264/annex-b.ts'
import { selectNewestParameterSets } from '../../../bridge/media/h264/parameter-sets.ts'
import { readFrameHeight } from '../../../bridge/media/h264/sps.ts'
import { CAMERA_WAIT_OPTIONS, startCamera, startWatchedSource } from '../../support/watched-camera.ts'
import { DRIVEWAY_ACTION, joinAnnexB, ACTION_PICTURES, ACTION_STREAM } from '../../support/bridge-streams.ts'

const LARGE_STREAM = readFileSync(new URL(`../../../scenes/${DRIVEWAY_ACTION.files['720'] ?? ''}`, import.meta.url))

test('a camera that switches to a larger resolution keeps playing, with only its new parameter sets', async () => {
  const server = await startCamera({ stream: ACTION_STREAM })
  const { states, units, source } = startWatchedSource(server.url())
  await vi.waitUntil(() => units.length > 20, CAMERA_WAIT_OPTIONS)
  server.replaceStream(LARGE_STREAM)
  await vi.waitUntil(() => readFrameHeight(source.getGop()[0]) === 720, CAMERA_WAIT_OPTIONS)
  expect([states, server.playCount]).toEqual([['live'], 1])
  const sets = source
    .getGop()[0]!
    .nals.filter((nal) => getNalType(nal) === NAL_TYPE.sps || getNalType(nal) === NAL_TYPE.pps)
  expect(sets.map(getNalType)).toEqual([NAL_TYPE.sps, NAL_TYPE.pps])
})

test('a camera that restarts with different parameter sets plays again with the new ones', async () => {
  const server = await startCamera({ stream: ACTION_STREAM })
  const { states, units, source } = startWatchedSource(server.url())
  await vi.waitUntil(() => units.length > 5, CAMERA_WAIT_OPTIONS)
  server.replaceStream(LARGE_STREAM)
  server.closeConnections()
  await vi.waitUntil(() => states.length === 3, CAMERA_WAIT_OPTIONS)
  await vi.waitUntil(() => readFrameHeight(source.getGop()[0]) === 720, CAMERA_WAIT_OPTIONS)
})

test('viewers keep watching when keyframes are further apart than the buffered frames', async () => {
  const [first, ...rest] = ACTION_PICTURES.slice(0, 15)
  const longGop = [first!, ...Array.from({ length: 50 }, () => rest).flat()]
  const stream = joinAnnexB(longGop.flatMap((picture) => picture.nals))
  const server = await startCamera({ stream, fps: 120 })
  const { units, source } = startWatchedSource(server.url())
  await vi.waitUntil(() => units.length > 620, CAMERA_WAIT_OPTIONS)
  expect(units.slice(600, 620).every((unit) => !unit.keyframe)).toBe(true)
  expect(source.getGop()).toEqual([])
})

test('the last of several successive parameter sets wins, and sets with different ids are kept', () => {
  const [sps, pps] = ACTION_PICTURES[0]!.nals.slice(0, 2)
  const slice = ACTION_PICTURES[0]!.nals.at(-1)!
  const laterSps = Buffer.concat([sps!, Buffer.from([1])])
  const laterPps = Buffer.concat([pps!, Buffer.from([1])])
  expect(selectNewestParameterSets([sps!, pps!, laterSps, laterPps, slice])).toEqual([laterSps, laterPps, slice])
  expect(selectNewestParameterSets([sps!, pps!, slice])).toEqual([sps, pps, slice])
  // Changes the PPS id from 0 to 1: in ue(v) encoding, `010` replaces `1`.
  const ppsWithId1 = Buffer.from([pps![0]!, 0b0100_0000 | (pps![1]! & 0b0001_1111), ...pps!.subarray(2)])
  expect(selectNewestParameterSets([sps!, pps!, ppsWithId1, slice])).toEqual([sps, pps, ppsWithId1, slice])
})
