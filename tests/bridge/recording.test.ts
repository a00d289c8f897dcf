import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AccessUnit } from '../../bridge/h264/annex-b.ts'
import { ProviderError } from '../../bridge/provider-client.ts'
import { RecordingQueue, type Queued } from '../../bridge/queue.ts'
import { finishInterrupted } from '../../bridge/recording/finish.ts'
import { MotionRecorder } from '../../bridge/recording/motion-recorder.ts'
import type { RecordedClip } from '../../bridge/recording/recorded.ts'
import { PICTURES } from './streams.ts'

const START = 1_795_181_460_000
const FRAME = 1000 / 15
const waitFor = { timeout: 15_000, interval: 10 }
let data = ''
let queue: RecordingQueue | undefined

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'recording-'))
})
afterEach(async () => {
  queue?.stop()
  vi.restoreAllMocks()
  await rm(data, { recursive: true, force: true })
})

const refusing = () => Promise.reject(new ProviderError(0, 'down'))

async function openQueue(
  deliver: (entry: Queued) => Promise<void> = refusing,
  limit?: number,
): Promise<RecordingQueue> {
  queue?.stop()
  queue = new RecordingQueue(data, deliver, limit)
  await queue.open()
  return queue
}

const recorderOn = (to: RecordingQueue) => new MotionRecorder({ deviceId: 'RC1', name: 'Porch', queue: to })

/** Plays the action from `from` to `to`, seconds; something moves in the given stretch. */
async function play(
  recorder: MotionRecorder,
  from: number,
  to: number,
  moves: readonly [number, number],
): Promise<void> {
  for (let frame = from * 15; frame < to * 15; frame++) {
    const unit: AccessUnit = { ...PICTURES[frame % PICTURES.length]!, pts: START + frame * FRAME }
    recorder.picture(unit)
    const seconds = frame / 15
    const moving = seconds >= moves[0] && seconds <= moves[1]
    if (frame % 3 === 0) recorder.sample({ at: unit.pts, moving, area: moving ? 0.01 + (seconds === 9 ? 0.2 : 0) : 0 })
    // The file system has its turn, as between real pictures.
    if (frame % 15 === 0) await new Promise(setImmediate)
  }
}

async function onlyEntry(open: RecordingQueue): Promise<RecordedClip> {
  await vi.waitUntil(async () => (await open.waiting()).length === 1, waitFor)
  const [name = ''] = await open.waiting()
  return JSON.parse(await readFile(join(data, 'queue', name), 'utf8')) as RecordedClip
}

function probe(file: string): { duration: number; frames: number } {
  const asked = [
    '-v',
    'error',
    '-count_frames',
    '-show_entries',
    'format=duration:stream=nb_read_frames',
    '-of',
    'json',
  ]
  const { stdout } = spawnSync('ffprobe', [...asked, file], { encoding: 'utf8' })
  const told = JSON.parse(stdout) as { format: { duration: string }; streams: { nb_read_frames: string }[] }
  return { duration: Number(told.format.duration), frames: Number(told.streams[0]?.nb_read_frames) }
}

test('motion becomes an event whose clip begins five seconds before it and ends two after', async () => {
  const open = await openQueue()
  await play(recorderOn(open), 0, 20, [8, 11])
  const { event, clip, thumb } = await onlyEntry(open)
  expect(event).toMatchObject({ device_id: 'RC1', event_ts: START + 8000, title: 'Motion', tags: ['4'] })
  expect(clip?.begin).toBe(START + 3000)
  expect(Math.abs((clip?.end ?? 0) - (START + 13_000))).toBeLessThanOrEqual(70)
  const { duration, frames } = probe(open.pathOf(event.event_id, 'mp4'))
  expect(frames).toBe(151)
  expect(duration).toBeCloseTo(151 / 15, 1)
  expect(thumb).toBe(true)
  expect((await readFile(open.pathOf(event.event_id, 'jpg'))).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
  await vi.waitUntil(async () => (await readdir(open.recordingFolder)).length === 0, waitFor)
})

test('a recording that a death has cut becomes an event with what was on the disk', async () => {
  const open = await openQueue()
  await play(recorderOn(open), 0, 11, [8, 30])
  await vi.waitUntil(async () => (await readdir(open.recordingFolder)).length === 1, waitFor)
  const [part = ''] = await readdir(open.recordingFolder)
  const path = join(open.recordingFolder, part)
  await vi.waitUntil(async () => (await readFile(path)).length > 40_000, waitFor)
  await truncate(path, (await readFile(path)).length - 7)
  const next = await openQueue()
  await finishInterrupted(next)
  const { event, clip } = await onlyEntry(next)
  expect(event.event_ts).toBe(START + 8000)
  expect(clip?.begin).toBe(START + 3000)
  expect(probe(next.pathOf(event.event_id, 'mp4')).frames).toBeGreaterThan(60)
  expect(await readdir(next.recordingFolder)).toEqual([])
})

test('a damaged recording is removed and stops nobody', async () => {
  const open = await openQueue()
  await writeFile(join(open.recordingFolder, 'RC1-abc.part'), 'nonsense')
  await finishInterrupted(open)
  expect([await open.waiting(), await readdir(open.recordingFolder)]).toEqual([[], []])
})

test('when the queue is full a sentence says so, older clips are kept and the event is listed without one', async () => {
  const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const open = await openQueue(refusing, 10)
  await writeFile(open.pathOf('RC1-aaa', 'mp4'), Buffer.alloc(100))
  await play(recorderOn(open), 0, 20, [8, 11])
  const { clip } = await onlyEntry(open)
  expect(clip).toBeNull()
  expect(
    said.mock.calls.some(([line]) => /Porch has motion, but its clip cannot be recorded: .*kept/.test(String(line))),
  ).toBe(true)
  expect(await readdir(join(data, 'queue'))).toContain('RC1-aaa.mp4')
})

test('a camera that changes its picture in the middle ends the clip there', async () => {
  const open = await openQueue()
  const recorder = recorderOn(open)
  await play(recorder, 0, 10, [8, 30])
  const keyframe = PICTURES[0]!
  const nals = keyframe.nals.map((nal, i) => (i === 0 ? Buffer.concat([nal, Buffer.from([1])]) : nal))
  recorder.picture({ ...keyframe, nals, pts: START + 10_000 })
  const { clip } = await onlyEntry(open)
  expect(Math.abs((clip?.end ?? 0) - (START + 10_000))).toBeLessThanOrEqual(70)
})
