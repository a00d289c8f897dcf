import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ProviderError } from '../../../bridge/uplink/provider-client.ts'
import { RecordingQueue } from '../../../bridge/recording/recording-queue.ts'
import { finishInterrupted } from '../../../bridge/recording/finish-recording.ts'
import { MotionRecorder } from '../../../bridge/recording/motion-recorder.ts'
import { toEventId, motionEvent, type RecordedClip } from '../../../bridge/recording/recorded-clip.ts'
import { PICTURES } from '../../support/bridge-streams.ts'
import { scaled } from '../../support/machine.ts'

const START = 1_795_181_460_000
const EVENT = toEventId('RC1', START + 8000)
const waitFor = { timeout: scaled(15_000), interval: 10 }
const DISK_BYTES = 1_000_000
let data = ''
let queue: RecordingQueue | undefined
const recorders: MotionRecorder[] = []
let mounted = false
let lines: string[] = []

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'disk-full-'))
  lines = []
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
})
afterEach(async () => {
  queue?.stop()
  // Waits for pending writes, because the folder is about to be deleted.
  await Promise.all(recorders.splice(0).map((recorder) => recorder.idle()))
  vi.restoreAllMocks()
  if (mounted) spawnSync('umount', ['-l', data])
  mounted = false
  await rm(data, { recursive: true, force: true })
})

async function openQueue(): Promise<RecordingQueue> {
  queue = new RecordingQueue(data, () => Promise.reject(new ProviderError(0, 'down')), { reserve: 0, roomMs: 20 })
  await queue.open()
  return queue
}

/** Records 25 seconds of a camera with motion from the eighth second to `until`. */
async function record(to: RecordingQueue, until: number): Promise<void> {
  const recorder = new MotionRecorder({ deviceId: 'RC1', name: 'Porch', queue: to })
  recorders.push(recorder)
  for (let frame = 0; frame < 25 * 15; frame++) {
    const at = START + (frame * 1000) / 15
    recorder.picture({ ...PICTURES[frame % PICTURES.length]!, pts: at })
    const moving = frame >= 8 * 15 && frame <= until * 15
    if (frame % 3 === 0) recorder.sample({ at, moving, area: moving ? 0.1 : 0 })
    if (frame % 15 === 0) await new Promise(setImmediate)
  }
}

const entry = async (open: RecordingQueue) =>
  JSON.parse(await readFile(open.getFilePath(EVENT, 'json'), 'utf8')) as RecordedClip
/** Returns the size in bytes; 0 if there is no such file. */
const readSize = async (path: string) => (await stat(path).catch(() => undefined))?.size ?? 0
const decodes = (path: string) => {
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 'null', '-'], { encoding: 'utf8' })
  return status === 0 && stderr === ''
}
const FULL =
  'bridge: ! Recording pauses: the disk of the box is full. Make room on its computer; what was recorded is kept.\n'
const ROOM = 'bridge: ! There is room on the disk again; recording resumes.\n'

/** Makes the next write of this file fail once with a full disk: its temporary file is a symbolic link to /dev/full. */
const fullFor = (path: string) => symlink('/dev/full', `${path}.${process.pid}.tmp`)

test.each(['mp4', 'jpg', 'json'] as const)(
  'a full disk delays the %s of a recording until there is space, and is reported',
  async (kind) => {
    const open = await openQueue()
    await fullFor(open.getFilePath(EVENT, kind))
    await record(open, 11)
    await vi.waitUntil(async () => (await open.waiting()).length === 1, waitFor)
    expect(await entry(open)).toMatchObject({ event: { event_id: EVENT }, thumb: true, clip: { begin: START + 3000 } })
    expect(decodes(open.getFilePath(EVENT, 'mp4'))).toBe(true)
    await vi.waitUntil(() => lines.includes(ROOM), waitFor)
    expect(lines.filter((line) => line === FULL || line === ROOM)).toEqual([FULL, ROOM])
    await vi.waitUntil(async () => (await readdir(open.recordingFolder)).length === 0, waitFor)
  },
)

test('an event without journal space has no clip and is reported; the next one has a clip', async () => {
  const open = await openQueue()
  await symlink('/dev/full', join(open.recordingFolder, `${EVENT}.part`))
  await record(open, 11)
  await vi.waitUntil(async () => (await open.waiting()).length === 1, waitFor)
  expect(await entry(open)).toMatchObject({ clip: null, thumb: false })
  expect(lines).toContain(
    'bridge: ! Porch has motion, but its clip cannot be recorded: the disk of the box is full. Make room on its computer; what was recorded is kept.\n',
  )
  await rm(open.getFilePath(EVENT, 'json'))
  await record(open, 11)
  await vi.waitUntil(async () => (await open.waiting()).length === 1, waitFor)
  expect((await entry(open)).clip).toMatchObject({ begin: START + 3000 })
})

test('a recording cut off by a crash is finished after a start with a full disk', async () => {
  const open = await openQueue()
  await record(open, 40)
  const path = join(open.recordingFolder, `${EVENT}.part`)
  await vi.waitUntil(async () => (await readSize(path)) > 40_000, waitFor)
  open.stop()
  const next = await openQueue()
  await fullFor(next.getFilePath(EVENT, 'mp4'))
  await finishInterrupted(next)
  await vi.waitUntil(async () => (await next.waiting()).length === 1, waitFor)
  expect(decodes(next.getFilePath(EVENT, 'mp4'))).toBe(true)
  expect(lines).toContain('bridge: ! The disk is full: an interrupted recording becomes an event when there is room.\n')
})

test('when a real disk fills up, the recorded part becomes a clip once there is space', async (context) => {
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', data]).status !== 0)
    return context.skip('Mounting a small file system needs the rights of root.')
  mounted = true
  const open = await openQueue()
  const troubles: string[] = []
  open.room.watch((trouble) => void troubles.push(trouble))
  const before = motionEvent('RC1', START)
  await open.add(before.event_id, { kind: 'clip', event: before, clip: null, thumb: false })
  await mkdir(join(data, 'other'))
  const filler = join(data, 'other', 'filler')
  await writeFile(filler, Buffer.alloc(DISK_BYTES - 60_000))
  await record(open, 18)
  await vi.waitUntil(() => lines.includes(FULL), waitFor)
  expect(await open.waiting()).toEqual([`${before.event_id}.json`])
  await truncate(filler, 0)
  await vi.waitUntil(async () => (await open.waiting()).length === 2, waitFor)
  const { clip } = await entry(open)
  expect(clip?.begin).toBe(START + 3000)
  expect((clip?.end ?? 0) - START).toBeLessThan(18_000)
  expect(decodes(open.getFilePath(EVENT, 'mp4'))).toBe(true)
  await vi.waitUntil(() => lines.includes(ROOM), waitFor)
  expect(troubles).toEqual(['', FULL.slice('bridge: ! '.length, -1), ''])
  return undefined
})
