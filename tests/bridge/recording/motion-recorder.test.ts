import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AccessUnit } from '../../../bridge/media/h264/annex-b.ts'
import { ProviderError } from '../../../bridge/uplink/provider-client.ts'
import { RecordingQueue, type QueuedRecording, type QueueOptions } from '../../../bridge/recording/recording-queue.ts'
import { finishInterrupted } from '../../../bridge/recording/finish-recording.ts'
import { MotionRecorder } from '../../../bridge/recording/motion-recorder.ts'
import { Journal, readJournal } from '../../../bridge/recording/journal.ts'
import { createMotionEvent, type RecordedClip } from '../../../bridge/recording/recorded-clip.ts'
import { ActiveRecording } from '../../../bridge/recording/active-recording.ts'
import { ACTION_PICTURES } from '../../support/bridge-streams.ts'
import { scaleTimeout } from '../../support/machine.ts'

const START_MS = 1_795_181_460_000
const FRAME_MS = 1000 / 15
const WAIT_OPTIONS = { timeout: scaleTimeout(15_000), interval: 10 }
let data = ''
let queue: RecordingQueue | undefined
const recorders: MotionRecorder[] = []

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'recording-'))
})
afterEach(async () => {
  queue?.stop()
  // Waits for pending writes, because the folder is about to be deleted.
  await Promise.all(recorders.splice(0).map((recorder) => recorder.waitUntilFinished()))
  vi.restoreAllMocks()
  await rm(data, { recursive: true, force: true })
})

const rejectDelivery = () => Promise.reject(new ProviderError(0, 'down'))

async function openQueue(
  deliver: (entry: QueuedRecording) => Promise<void> = rejectDelivery,
  options?: QueueOptions,
): Promise<RecordingQueue> {
  queue?.stop()
  queue = new RecordingQueue(data, deliver, options)
  await queue.open()
  return queue
}

function createRecorder(recordingQueue: RecordingQueue): MotionRecorder {
  const recorder = new MotionRecorder({ deviceId: 'RC1', name: 'Porch', queue: recordingQueue })
  recorders.push(recorder)
  return recorder
}

/** Sends the frames from second `from` to second `to`. `motionSpan`: start and end of motion, seconds. */
async function playFrames(
  recorder: MotionRecorder,
  from: number,
  to: number,
  motionSpan: readonly [number, number],
  shouldYield = true,
): Promise<void> {
  for (let frame = from * 15; frame < to * 15; frame++) {
    const unit: AccessUnit = { ...ACTION_PICTURES[frame % ACTION_PICTURES.length]!, pts: START_MS + frame * FRAME_MS }
    recorder.addFrame(unit)
    const seconds = frame / 15
    const moving = seconds >= motionSpan[0] && seconds <= motionSpan[1]
    if (frame % 3 === 0)
      recorder.handleSample({ at: unit.pts, moving, area: moving ? 0.01 + (seconds === 9 ? 0.2 : 0) : 0 })
    // Yields to the event loop, so that file writes proceed as they do between real frames.
    if (shouldYield && frame % 15 === 0) await new Promise(setImmediate)
  }
}

async function waitForOnlyEntry(recordingQueue: RecordingQueue): Promise<RecordedClip> {
  await vi.waitUntil(async () => (await recordingQueue.listWaiting()).length === 1, WAIT_OPTIONS)
  const [name = ''] = await recordingQueue.listWaiting()
  return JSON.parse(await readFile(join(data, 'queue', name), 'utf8')) as RecordedClip
}

function probeFile(file: string): { duration: number; frames: number } {
  const args = ['-v', 'error', '-count_frames', '-show_entries', 'format=duration:stream=nb_read_frames', '-of', 'json']
  const { stdout } = spawnSync('ffprobe', [...args, file], { encoding: 'utf8' })
  const report = JSON.parse(stdout) as { format: { duration: string }; streams: { nb_read_frames: string }[] }
  return { duration: Number(report.format.duration), frames: Number(report.streams[0]?.nb_read_frames) }
}

test('motion becomes an event with a clip from five seconds before it to two seconds after', async () => {
  const recordingQueue = await openQueue()
  await playFrames(createRecorder(recordingQueue), 0, 20, [8, 11])
  const { event, clip, thumb } = await waitForOnlyEntry(recordingQueue)
  expect(event).toMatchObject({ device_id: 'RC1', event_ts: START_MS + 8000, title: 'Motion', tags: ['4'] })
  expect(clip?.begin).toBe(START_MS + 3000)
  expect(Math.abs((clip?.end ?? 0) - (START_MS + 13_000))).toBeLessThanOrEqual(70)
  const { duration, frames } = probeFile(recordingQueue.getFilePath(event.event_id, 'mp4'))
  expect(frames).toBe(151)
  expect(duration).toBeCloseTo(151 / 15, 1)
  expect(thumb).toBe(true)
  expect((await readFile(recordingQueue.getFilePath(event.event_id, 'jpg'))).subarray(0, 2)).toEqual(
    Buffer.from([0xff, 0xd8]),
  )
  await vi.waitUntil(async () => (await readdir(recordingQueue.recordingFolder)).length === 0, WAIT_OPTIONS)
})

test('a recording cut off by a crash becomes an event with the frames on disk', async () => {
  const recordingQueue = await openQueue()
  await playFrames(createRecorder(recordingQueue), 0, 11, [8, 30])
  await vi.waitUntil(async () => (await readdir(recordingQueue.recordingFolder)).length === 1, WAIT_OPTIONS)
  const [part = ''] = await readdir(recordingQueue.recordingFolder)
  const path = join(recordingQueue.recordingFolder, part)
  // The journal still lacks the last second, because it stores only complete GOPs.
  await vi.waitUntil(async () => (await readJournal(path))?.units.length === 7 * 15, WAIT_OPTIONS)
  await truncate(path, (await readFile(path)).length - 7)
  const next = await openQueue()
  await finishInterrupted(next)
  const { event, clip } = await waitForOnlyEntry(next)
  expect(event.event_ts).toBe(START_MS + 8000)
  expect(clip?.begin).toBe(START_MS + 3000)
  expect(probeFile(next.getFilePath(event.event_id, 'mp4')).frames).toBe(7 * 15 - 1)
  expect(await readdir(next.recordingFolder)).toEqual([])
})

test('a recording with zeros from a power cut becomes an event with the frames before them', async () => {
  const recordingQueue = await openQueue()
  const path = join(recordingQueue.recordingFolder, 'RC1-abc.part')
  const journal = await Journal.open(path, { event_id: 'RC1-abc', device_id: 'RC1', begin: START_MS })
  for (const [i, unit] of ACTION_PICTURES.slice(0, 40).entries()) journal.add({ ...unit, pts: START_MS + i * FRAME_MS })
  await journal.close()
  const whole = await readFile(path)
  const { length } = (await readJournal(path))!.units
  for (const zeros of [5000, 20_000]) {
    await writeFile(path, Buffer.concat([whole.subarray(0, -zeros), Buffer.alloc(zeros)]))
    const units = (await readJournal(path))?.units ?? []
    expect(units.length).toBeLessThan(length)
    expect(units.every((unit, i) => unit.pts === START_MS + i * FRAME_MS && unit.nals.length > 0)).toBe(true)
  }
  await finishInterrupted(recordingQueue)
  await waitForOnlyEntry(recordingQueue)
  expect(probeFile(join(data, 'queue', 'RC1-' + START_MS.toString(36) + '.mp4')).frames).toBeGreaterThan(10)
})

test('a damaged recording is removed and blocks nothing', async () => {
  const recordingQueue = await openQueue()
  await writeFile(join(recordingQueue.recordingFolder, 'RC1-abc.part'), 'nonsense')
  await finishInterrupted(recordingQueue)
  expect([await recordingQueue.listWaiting(), await readdir(recordingQueue.recordingFolder)]).toEqual([[], []])
})

test('a full queue drops its oldest clip with a message, keeps that event and records the new clip', async () => {
  const stdoutSpy = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const recordingQueue = await openQueue(rejectDelivery, { limit: 250_000 })
  for (const [i, name] of ['RC1-aaa', 'RC1-aab'].entries()) {
    await writeFile(recordingQueue.getFilePath(name, 'mp4'), Buffer.alloc(150_000))
    await recordingQueue.add(name, {
      kind: 'clip',
      event: createMotionEvent('RC1', i),
      clip: { begin: 0, end: 1 },
      thumb: false,
    })
  }
  await writeFile(join(data, 'queue', 'refused', 'RC1-zzz.mp4'), Buffer.alloc(10))
  await playFrames(createRecorder(recordingQueue), 0, 20, [8, 11])
  await vi.waitUntil(async () => (await recordingQueue.listWaiting()).length === 3, WAIT_OPTIONS)
  const files = await readdir(join(data, 'queue'))
  expect(files.filter((name) => name.startsWith('RC1-aa')).sort()).toEqual([
    'RC1-aaa.json',
    'RC1-aab.json',
    'RC1-aab.mp4',
  ])
  expect(files.filter((name) => name.endsWith('.mp4'))).toHaveLength(2)
  expect(await readdir(join(data, 'queue', 'refused'))).toEqual([])
  const lines = stdoutSpy.mock.calls.map(([line]) => String(line))
  expect(lines).toContain(
    'bridge: ! The upload queue reached its limit of 0 MB, so the 2 oldest clips were deleted to make room.\n',
  )
})

test('a queued clip stays with its event when its journal cannot be removed', async () => {
  const recordingQueue = await openQueue()
  const add = recordingQueue.add.bind(recordingQueue)
  recordingQueue.add = async (...entry) => {
    await add(...entry)
    await rm(recordingQueue.recordingFolder, { recursive: true, force: true })
  }
  const recorder = createRecorder(recordingQueue)
  await playFrames(recorder, 0, 20, [8, 11])
  await vi.waitUntil(async () => (await recordingQueue.listWaiting()).length === 1, WAIT_OPTIONS)
  await recorder.waitUntilFinished()
  expect((await waitForOnlyEntry(recordingQueue)).clip).toMatchObject({ begin: START_MS + 3000 })
})

test('a clip ends before the first frame with different parameter sets', async () => {
  const recordingQueue = await openQueue()
  const recorder = createRecorder(recordingQueue)
  await playFrames(recorder, 0, 10, [8, 30])
  const keyframe = ACTION_PICTURES[0]!
  const nals = keyframe.nals.map((nal, i) => (i === 0 ? Buffer.concat([nal, Buffer.from([1])]) : nal))
  recorder.addFrame({ ...keyframe, nals, pts: START_MS + 10_000 })
  const { event, clip } = await waitForOnlyEntry(recordingQueue)
  expect(Math.abs((clip?.end ?? 0) - (START_MS + 10_000))).toBeLessThanOrEqual(2)
  expect(probeFile(recordingQueue.getFilePath(event.event_id, 'mp4')).frames).toBe(7 * 15)
})

test('a recording that starts before the previous journal is open has only its own frames', async () => {
  const recordingQueue = await openQueue()
  const recorder = createRecorder(recordingQueue)
  // The camera disconnects after 10 s and reconnects immediately. Frames arrive without pauses for disk writes.
  const first = playFrames(recorder, 0, 10, [8, 30], false)
  recorder.interrupt()
  await Promise.all([first, playFrames(recorder, 20, 32, [22, 24], false)])
  await vi.waitUntil(async () => (await recordingQueue.listWaiting()).length === 2, WAIT_OPTIONS)
  const clips = await Promise.all(
    (await recordingQueue.listWaiting()).map(async (name) => {
      const { clip } = JSON.parse(await readFile(join(data, 'queue', name), 'utf8')) as RecordedClip
      return [clip?.begin, probeFile(join(data, 'queue', name.replace('json', 'mp4'))).frames]
    }),
  )
  expect(clips).toEqual([
    [START_MS + 3000, 7 * 15],
    [START_MS + 20_000, 6 * 15 + 1],
  ])
})

test('a recording has no frame from before its first keyframe', async () => {
  const recordingQueue = await openQueue()
  const path = join(recordingQueue.recordingFolder, 'RC1-abc.part')
  const recording = new ActiveRecording(
    [],
    Journal.open(path, { event_id: 'RC1-abc', device_id: 'RC1', begin: START_MS }),
  )
  for (let i = 5; i < 40; i++) recording.add({ ...ACTION_PICTURES[i]!, pts: START_MS + i * FRAME_MS })
  await (await recording.ready)?.close()
  const kinds = (await readJournal(path))?.units.map((unit) => unit.keyframe) ?? []
  expect([kinds[0], kinds.length]).toEqual([
    true,
    40 - ACTION_PICTURES.findIndex((picture, i) => i >= 5 && picture.keyframe),
  ])
})

test('detection coverage excludes a possible pre-roll; a clip is pending from its first frame on', async () => {
  const recordingQueue = await openQueue()
  const recorder = createRecorder(recordingQueue)
  await playFrames(recorder, 0, 10, [60, 60])
  const now = START_MS + 10_000
  // If the last sample (about 10 s) had motion, its clip would start at 4 s. That is the keyframe before the pre-roll
  // of 5 s.
  expect(recorder.getDetectionCoverage(now)).toEqual({ spans: [[START_MS, START_MS + 4000, 'watched']], waiting: [] })
  await playFrames(recorder, 10, 12, [10, 60])
  const [[, until], ...more] = recorder.getDetectionCoverage(now + 2000).spans as [[number, number], ...unknown[]]
  const [[from, to], ...others] = recorder.getDetectionCoverage(now + 2000).waiting as [[number, number], ...unknown[]]
  expect([from, to, more, others]).toEqual([START_MS + 5000, now + 2000, [], []])
  expect(until).toBeGreaterThan(from)
  recorder.interrupt()
  const { clip } = await waitForOnlyEntry(recordingQueue)
  expect(clip?.begin).toBe(from)
  await recorder.waitUntilFinished()
  expect(recorder.getDetectionCoverage(now + 2000).waiting).toEqual([])
})
