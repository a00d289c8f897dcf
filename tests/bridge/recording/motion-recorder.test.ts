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
import { motionEvent, type RecordedClip } from '../../../bridge/recording/recorded-clip.ts'
import { Recording } from '../../../bridge/recording/active-recording.ts'
import { PICTURES } from '../../support/bridge-streams.ts'
import { scaled } from '../../support/machine.ts'

const START = 1_795_181_460_000
const FRAME = 1000 / 15
const waitFor = { timeout: scaled(15_000), interval: 10 }
let data = ''
let queue: RecordingQueue | undefined
const recorders: MotionRecorder[] = []

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'recording-'))
})
afterEach(async () => {
  queue?.stop()
  // Waits for pending writes, because the folder is about to be deleted.
  await Promise.all(recorders.splice(0).map((recorder) => recorder.idle()))
  vi.restoreAllMocks()
  await rm(data, { recursive: true, force: true })
})

const refusing = () => Promise.reject(new ProviderError(0, 'down'))

async function openQueue(
  deliver: (entry: QueuedRecording) => Promise<void> = refusing,
  options?: QueueOptions,
): Promise<RecordingQueue> {
  queue?.stop()
  queue = new RecordingQueue(data, deliver, options)
  await queue.open()
  return queue
}

function recorderOn(to: RecordingQueue): MotionRecorder {
  const recorder = new MotionRecorder({ deviceId: 'RC1', name: 'Porch', queue: to })
  recorders.push(recorder)
  return recorder
}

/** Sends the frames from second `from` to second `to` to the recorder. `moves`: the span with motion, in seconds. */
async function play(
  recorder: MotionRecorder,
  from: number,
  to: number,
  moves: readonly [number, number],
  pauses = true,
): Promise<void> {
  for (let frame = from * 15; frame < to * 15; frame++) {
    const unit: AccessUnit = { ...PICTURES[frame % PICTURES.length]!, pts: START + frame * FRAME }
    recorder.picture(unit)
    const seconds = frame / 15
    const moving = seconds >= moves[0] && seconds <= moves[1]
    if (frame % 3 === 0) recorder.sample({ at: unit.pts, moving, area: moving ? 0.01 + (seconds === 9 ? 0.2 : 0) : 0 })
    // Yields to the file system, as between real frames.
    if (pauses && frame % 15 === 0) await new Promise(setImmediate)
  }
}

async function onlyEntry(open: RecordingQueue): Promise<RecordedClip> {
  await vi.waitUntil(async () => (await open.waiting()).length === 1, waitFor)
  const [name = ''] = await open.waiting()
  return JSON.parse(await readFile(join(data, 'queue', name), 'utf8')) as RecordedClip
}

function probe(file: string): { duration: number; frames: number } {
  const args = ['-v', 'error', '-count_frames', '-show_entries', 'format=duration:stream=nb_read_frames', '-of', 'json']
  const { stdout } = spawnSync('ffprobe', [...args, file], { encoding: 'utf8' })
  const report = JSON.parse(stdout) as { format: { duration: string }; streams: { nb_read_frames: string }[] }
  return { duration: Number(report.format.duration), frames: Number(report.streams[0]?.nb_read_frames) }
}

test('motion becomes an event with a clip from five seconds before it to two seconds after', async () => {
  const open = await openQueue()
  await play(recorderOn(open), 0, 20, [8, 11])
  const { event, clip, thumb } = await onlyEntry(open)
  expect(event).toMatchObject({ device_id: 'RC1', event_ts: START + 8000, title: 'Motion', tags: ['4'] })
  expect(clip?.begin).toBe(START + 3000)
  expect(Math.abs((clip?.end ?? 0) - (START + 13_000))).toBeLessThanOrEqual(70)
  const { duration, frames } = probe(open.getFilePath(event.event_id, 'mp4'))
  expect(frames).toBe(151)
  expect(duration).toBeCloseTo(151 / 15, 1)
  expect(thumb).toBe(true)
  expect((await readFile(open.getFilePath(event.event_id, 'jpg'))).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
  await vi.waitUntil(async () => (await readdir(open.recordingFolder)).length === 0, waitFor)
})

test('a recording cut off by a crash becomes an event with the frames on disk', async () => {
  const open = await openQueue()
  await play(recorderOn(open), 0, 11, [8, 30])
  await vi.waitUntil(async () => (await readdir(open.recordingFolder)).length === 1, waitFor)
  const [part = ''] = await readdir(open.recordingFolder)
  const path = join(open.recordingFolder, part)
  // The journal still lacks the last second, because it stores only complete GOPs.
  await vi.waitUntil(async () => (await readJournal(path))?.units.length === 7 * 15, waitFor)
  await truncate(path, (await readFile(path)).length - 7)
  const next = await openQueue()
  await finishInterrupted(next)
  const { event, clip } = await onlyEntry(next)
  expect(event.event_ts).toBe(START + 8000)
  expect(clip?.begin).toBe(START + 3000)
  expect(probe(next.getFilePath(event.event_id, 'mp4')).frames).toBe(7 * 15 - 1)
  expect(await readdir(next.recordingFolder)).toEqual([])
})

test('a recording with zeros from a power cut becomes an event with the frames before them', async () => {
  const open = await openQueue()
  const path = join(open.recordingFolder, 'RC1-abc.part')
  const journal = await Journal.open(path, { event_id: 'RC1-abc', device_id: 'RC1', begin: START })
  for (const [i, unit] of PICTURES.slice(0, 40).entries()) journal.add({ ...unit, pts: START + i * FRAME })
  await journal.close()
  const whole = await readFile(path)
  const { length } = (await readJournal(path))!.units
  for (const zeros of [5000, 20_000]) {
    await writeFile(path, Buffer.concat([whole.subarray(0, -zeros), Buffer.alloc(zeros)]))
    const units = (await readJournal(path))?.units ?? []
    expect(units.length).toBeLessThan(length)
    expect(units.every((unit, i) => unit.pts === START + i * FRAME && unit.nals.length > 0)).toBe(true)
  }
  await finishInterrupted(open)
  await onlyEntry(open)
  expect(probe(join(data, 'queue', 'RC1-' + START.toString(36) + '.mp4')).frames).toBeGreaterThan(10)
})

test('a damaged recording is removed and blocks nothing', async () => {
  const open = await openQueue()
  await writeFile(join(open.recordingFolder, 'RC1-abc.part'), 'nonsense')
  await finishInterrupted(open)
  expect([await open.waiting(), await readdir(open.recordingFolder)]).toEqual([[], []])
})

test('a full queue drops its oldest clip with a message, keeps that event and records the new clip', async () => {
  const stdoutSpy = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const open = await openQueue(refusing, { limit: 250_000 })
  for (const [i, name] of ['RC1-aaa', 'RC1-aab'].entries()) {
    await writeFile(open.getFilePath(name, 'mp4'), Buffer.alloc(150_000))
    await open.add(name, { kind: 'clip', event: motionEvent('RC1', i), clip: { begin: 0, end: 1 }, thumb: false })
  }
  await writeFile(join(data, 'queue', 'refused', 'RC1-zzz.mp4'), Buffer.alloc(10))
  await play(recorderOn(open), 0, 20, [8, 11])
  await vi.waitUntil(async () => (await open.waiting()).length === 3, waitFor)
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
    'bridge: ! 0 MB of recordings wait for the provider: the 2 oldest clips were given up to make room.\n',
  )
})

test('a queued clip stays with its event when its journal cannot be removed', async () => {
  const open = await openQueue()
  const add = open.add.bind(open)
  open.add = async (...entry) => {
    await add(...entry)
    await rm(open.recordingFolder, { recursive: true, force: true })
  }
  const recorder = recorderOn(open)
  await play(recorder, 0, 20, [8, 11])
  await vi.waitUntil(async () => (await open.waiting()).length === 1, waitFor)
  await recorder.idle()
  expect((await onlyEntry(open)).clip).toMatchObject({ begin: START + 3000 })
})

test('a clip ends before the first frame with different parameter sets', async () => {
  const open = await openQueue()
  const recorder = recorderOn(open)
  await play(recorder, 0, 10, [8, 30])
  const keyframe = PICTURES[0]!
  const nals = keyframe.nals.map((nal, i) => (i === 0 ? Buffer.concat([nal, Buffer.from([1])]) : nal))
  recorder.picture({ ...keyframe, nals, pts: START + 10_000 })
  const { event, clip } = await onlyEntry(open)
  expect(Math.abs((clip?.end ?? 0) - (START + 10_000))).toBeLessThanOrEqual(2)
  expect(probe(open.getFilePath(event.event_id, 'mp4')).frames).toBe(7 * 15)
})

test('a recording that starts before the previous journal is open has only its own frames', async () => {
  const open = await openQueue()
  const recorder = recorderOn(open)
  // The camera disconnects after 10 s and reconnects immediately. `false`: sending the frames does not wait for the
  // disk.
  const first = play(recorder, 0, 10, [8, 30], false)
  recorder.interrupt()
  await Promise.all([first, play(recorder, 20, 32, [22, 24], false)])
  await vi.waitUntil(async () => (await open.waiting()).length === 2, waitFor)
  const clips = await Promise.all(
    (await open.waiting()).map(async (name) => {
      const { clip } = JSON.parse(await readFile(join(data, 'queue', name), 'utf8')) as RecordedClip
      return [clip?.begin, probe(join(data, 'queue', name.replace('json', 'mp4'))).frames]
    }),
  )
  expect(clips).toEqual([
    [START + 3000, 7 * 15],
    [START + 20_000, 6 * 15 + 1],
  ])
})

test('a recording has no frame from before its first keyframe', async () => {
  const open = await openQueue()
  const path = join(open.recordingFolder, 'RC1-abc.part')
  const recording = new Recording([], Journal.open(path, { event_id: 'RC1-abc', device_id: 'RC1', begin: START }))
  for (let i = 5; i < 40; i++) recording.add({ ...PICTURES[i]!, pts: START + i * FRAME })
  await (await recording.ready)?.close()
  const kinds = (await readJournal(path))?.units.map((unit) => unit.keyframe) ?? []
  expect([kinds[0], kinds.length]).toEqual([true, 40 - PICTURES.findIndex((picture, i) => i >= 5 && picture.keyframe)])
})

test('detection coverage excludes a possible pre-roll; a clip is pending from its first frame on', async () => {
  const open = await openQueue()
  const recorder = recorderOn(open)
  await play(recorder, 0, 10, [60, 60])
  const now = START + 10_000
  // If the last sample showed motion, a clip would start at the keyframe before its pre-roll of five seconds, at 4 s.
  expect(recorder.watching(now)).toEqual({ spans: [[START, START + 4000, 'watched']], waiting: [] })
  await play(recorder, 10, 12, [10, 60])
  const [[, until], ...more] = recorder.watching(now + 2000).spans as [[number, number], ...unknown[]]
  const [[from, to], ...others] = recorder.watching(now + 2000).waiting as [[number, number], ...unknown[]]
  expect([from, to, more, others]).toEqual([START + 5000, now + 2000, [], []])
  expect(until).toBeGreaterThan(from)
  recorder.interrupt()
  const { clip } = await onlyEntry(open)
  expect(clip?.begin).toBe(from)
  await recorder.idle()
  expect(recorder.watching(now + 2000).waiting).toEqual([])
})
