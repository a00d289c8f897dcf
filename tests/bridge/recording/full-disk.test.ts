import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ProviderError } from '../../../bridge/uplink/provider-client.ts'
import { RecordingQueue } from '../../../bridge/recording/recording-queue.ts'
import { finishInterrupted } from '../../../bridge/recording/finish-recording.ts'
import { MotionRecorder } from '../../../bridge/recording/motion-recorder.ts'
import { createEventId, createMotionEvent, type RecordedClip } from '../../../bridge/recording/recorded-clip.ts'
import { ACTION_PICTURES } from '../../support/bridge-streams.ts'
import { scaleTimeout } from '../../support/machine.ts'

const START_MS = 1_795_181_460_000
const EVENT_ID = createEventId('RC1', START_MS + 8000)
const WAIT_OPTIONS = { timeout: scaleTimeout(15_000), interval: 10 }
const DISK_BYTES = 1_000_000
let data = ''
let queue: RecordingQueue | undefined
const recorders: MotionRecorder[] = []
let isMounted = false
let logLines: string[] = []

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'disk-full-'))
  logLines = []
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => logLines.push(String(line)) > 0)
})
afterEach(async () => {
  queue?.stop()
  // Waits for pending writes, because the folder is about to be deleted.
  await Promise.all(recorders.splice(0).map((recorder) => recorder.waitUntilFinished()))
  vi.restoreAllMocks()
  if (isMounted) spawnSync('umount', ['-l', data])
  isMounted = false
  await rm(data, { recursive: true, force: true })
})

async function openQueue(): Promise<RecordingQueue> {
  queue = new RecordingQueue(data, () => Promise.reject(new ProviderError(0, 'down')), { reserve: 0, roomMs: 20 })
  await queue.open()
  return queue
}

/** Records 25 s of a camera with motion from second 8 to second `motionEnd`. */
async function recordMotion(recordingQueue: RecordingQueue, motionEnd: number): Promise<void> {
  const recorder = new MotionRecorder({ deviceId: 'RC1', name: 'Porch', queue: recordingQueue })
  recorders.push(recorder)
  for (let frame = 0; frame < 25 * 15; frame++) {
    const at = START_MS + (frame * 1000) / 15
    recorder.addFrame({ ...ACTION_PICTURES[frame % ACTION_PICTURES.length]!, pts: at })
    const moving = frame >= 8 * 15 && frame <= motionEnd * 15
    if (frame % 3 === 0) recorder.handleSample({ at, moving, area: moving ? 0.1 : 0 })
    if (frame % 15 === 0) await new Promise(setImmediate)
  }
}

const readEntry = async (recordingQueue: RecordingQueue) =>
  JSON.parse(await readFile(recordingQueue.getFilePath(EVENT_ID, 'json'), 'utf8')) as RecordedClip
const readSize = async (path: string) => (await stat(path).catch(() => undefined))?.size ?? 0
const canDecode = (path: string) => {
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 'null', '-'], { encoding: 'utf8' })
  return status === 0 && stderr === ''
}
const DISK_FULL_LOG_LINE =
  "bridge: ! Recording paused: the hub's disk is full. Free up space on the hub's computer. Existing recordings are kept.\n"
const DISK_FREE_LOG_LINE = 'bridge: ! Disk space is available again. Recording has resumed.\n'

/** Makes the next write of this file fail with ENOSPC: its temporary file is a symbolic link to /dev/full. */
const failNextWrite = (path: string) => symlink('/dev/full', `${path}.${process.pid}.tmp`)

test.each(['mp4', 'jpg', 'json'] as const)(
  'a full disk delays the %s of a recording until there is space, and is reported',
  async (kind) => {
    const recordingQueue = await openQueue()
    await failNextWrite(recordingQueue.getFilePath(EVENT_ID, kind))
    await recordMotion(recordingQueue, 11)
    await vi.waitUntil(async () => (await recordingQueue.listWaiting()).length === 1, WAIT_OPTIONS)
    expect(await readEntry(recordingQueue)).toMatchObject({
      event: { event_id: EVENT_ID },
      thumb: true,
      clip: { begin: START_MS + 3000 },
    })
    expect(canDecode(recordingQueue.getFilePath(EVENT_ID, 'mp4'))).toBe(true)
    await vi.waitUntil(() => logLines.includes(DISK_FREE_LOG_LINE), WAIT_OPTIONS)
    expect(logLines.filter((line) => line === DISK_FULL_LOG_LINE || line === DISK_FREE_LOG_LINE)).toEqual([
      DISK_FULL_LOG_LINE,
      DISK_FREE_LOG_LINE,
    ])
    await vi.waitUntil(async () => (await readdir(recordingQueue.recordingFolder)).length === 0, WAIT_OPTIONS)
  },
)

test('an event without journal space has no clip and is reported; the next one has a clip', async () => {
  const recordingQueue = await openQueue()
  await symlink('/dev/full', join(recordingQueue.recordingFolder, `${EVENT_ID}.part`))
  await recordMotion(recordingQueue, 11)
  await vi.waitUntil(async () => (await recordingQueue.listWaiting()).length === 1, WAIT_OPTIONS)
  expect(await readEntry(recordingQueue)).toMatchObject({ clip: null, thumb: false })
  expect(logLines).toContain(
    "bridge: ! Porch detected motion, but the clip couldn't be recorded: the hub's disk is full. Free up space on the hub's computer. Existing recordings are kept.\n",
  )
  await rm(recordingQueue.getFilePath(EVENT_ID, 'json'))
  await recordMotion(recordingQueue, 11)
  await vi.waitUntil(async () => (await recordingQueue.listWaiting()).length === 1, WAIT_OPTIONS)
  expect((await readEntry(recordingQueue)).clip).toMatchObject({ begin: START_MS + 3000 })
})

test('a recording cut off by a crash is finished after a start with a full disk', async () => {
  const recordingQueue = await openQueue()
  await recordMotion(recordingQueue, 40)
  const path = join(recordingQueue.recordingFolder, `${EVENT_ID}.part`)
  await vi.waitUntil(async () => (await readSize(path)) > 40_000, WAIT_OPTIONS)
  recordingQueue.stop()
  const next = await openQueue()
  await failNextWrite(next.getFilePath(EVENT_ID, 'mp4'))
  await finishInterrupted(next)
  await vi.waitUntil(async () => (await next.listWaiting()).length === 1, WAIT_OPTIONS)
  expect(canDecode(next.getFilePath(EVENT_ID, 'mp4'))).toBe(true)
  expect(logLines).toContain(
    'bridge: ! The disk is full. An interrupted recording will become an event once there is space.\n',
  )
})

test('when a real disk fills up, the recorded part becomes a clip once there is space', async (context) => {
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', data]).status !== 0)
    return context.skip('Mounting a small file system requires root.')
  isMounted = true
  const recordingQueue = await openQueue()
  const troubles: string[] = []
  recordingQueue.diskSpace.watch((trouble) => void troubles.push(trouble))
  const before = createMotionEvent('RC1', START_MS)
  await recordingQueue.add(before.event_id, { kind: 'clip', event: before, clip: null, thumb: false })
  await mkdir(join(data, 'other'))
  const fillerFile = join(data, 'other', 'filler')
  await writeFile(fillerFile, Buffer.alloc(DISK_BYTES - 60_000))
  await recordMotion(recordingQueue, 18)
  await vi.waitUntil(() => logLines.includes(DISK_FULL_LOG_LINE), WAIT_OPTIONS)
  expect(await recordingQueue.listWaiting()).toEqual([`${before.event_id}.json`])
  await truncate(fillerFile, 0)
  await vi.waitUntil(async () => (await recordingQueue.listWaiting()).length === 2, WAIT_OPTIONS)
  const { clip } = await readEntry(recordingQueue)
  expect(clip?.begin).toBe(START_MS + 3000)
  expect((clip?.end ?? 0) - START_MS).toBeLessThan(18_000)
  expect(canDecode(recordingQueue.getFilePath(EVENT_ID, 'mp4'))).toBe(true)
  await vi.waitUntil(() => logLines.includes(DISK_FREE_LOG_LINE), WAIT_OPTIONS)
  expect(troubles).toEqual(['', DISK_FULL_LOG_LINE.slice('bridge: ! '.length, -1), ''])
  return undefined
})
