import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os, { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ManagedCamera } from '../../bridge/cameras/managed-camera.ts'
import { Heartbeat } from '../../bridge/heartbeat.ts'
import { MotionRecorder } from '../../bridge/recording/motion-recorder.ts'
import { RecordingQueue } from '../../bridge/recording/recording-queue.ts'
import type { RecordedClip } from '../../bridge/recording/recorded-clip.ts'
import { Control } from '../../bridge/uplink/control-socket.ts'
import { ProviderClient, ProviderError } from '../../bridge/uplink/provider-client.ts'
import { patience } from '../support/patience.ts'
import { library, PICTURES } from '../support/bridge-streams.ts'
import { HOUR_MS } from '../../contract/time-units.ts'

const FRAME = 1000 / 15
/** The computer's two clocks, ms: only the first one stops during sleep. */
let awake = 0
let up = 0
let data = ''
let beat: () => void
let queue: RecordingQueue
let recorder: MotionRecorder
let client: ProviderClient
let renewed = 0
let heartbeat: Heartbeat

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'sleep-'))
  awake = 50_000
  up = 9_000_000
  vi.spyOn(performance, 'now').mockImplementation(() => awake)
  vi.spyOn(os, 'uptime').mockImplementation(() => up / 1000)
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const interval = vi.spyOn(globalThis, 'setInterval').mockReturnValueOnce(0 as never)
  client = new ProviderClient('http://127.0.0.1:1', { bridgeId: 'b', key: Buffer.alloc(32) })
  queue = new RecordingQueue(data, () => Promise.reject(new ProviderError(0, 'down')))
  await queue.open()
  recorder = new MotionRecorder({ deviceId: 'RC1', name: 'Porch', queue })
  const control = new Control(client, { hello: () => ({ type: 'ping' }), message: () => undefined })
  renewed = 0
  vi.spyOn(control, 'renew').mockImplementation(() => void renewed++)
  const unit = {
    watching: (now: number) => recorder.watching(now),
    interrupt: () => recorder.interrupt(),
  } as ManagedCamera
  heartbeat = new Heartbeat({ units: new Map([['RC1', unit]]), queue, library, client, control })
  heartbeat.start()
  beat = interval.mock.calls[0]?.[0] as () => void
})
afterEach(async () => {
  heartbeat.stop()
  queue.stop()
  recorder.interrupt()
  await recorder.idle()
  vi.restoreAllMocks()
  await rm(data, { recursive: true, force: true })
})

/** Plays this many seconds of frames and advances both clocks; motion starts at second `moves`. */
async function play(seconds: number, moves = Infinity): Promise<void> {
  for (let frame = 0; frame < seconds * 15; frame++) {
    awake += FRAME
    up += FRAME
    const pts = client.now()
    recorder.picture({ ...PICTURES[frame % PICTURES.length]!, pts })
    const moving = frame / 15 >= moves
    if (frame % 3 === 0) recorder.sample({ at: pts, moving, area: moving ? 0.01 : 0 })
    if (frame % 15 === 14) {
      beat()
      await new Promise(setImmediate)
    }
  }
}
async function clips(): Promise<{ begin: number; end: number }[]> {
  await recorder.idle()
  const entries = await Promise.all(
    (await queue.waiting()).map(async (name) => JSON.parse(await readFile(join(data, 'queue', name), 'utf8'))),
  )
  return (entries as RecordedClip[]).flatMap(({ clip }) => clip ?? [])
}

test('computer sleep ends a recording, and the next one begins after waking, with the correct time', async () => {
  await play(10, 6)
  const asleep = client.now()
  up += HOUR_MS
  await play(1, 0)
  expect(client.now()).toBeCloseTo(asleep + HOUR_MS + 1000, 0)
  expect(renewed).toBe(1)
  await play(10, 3)
  recorder.interrupt()
  await vi.waitUntil(async () => (await clips()).length === 2, patience)
  const [first, second] = await clips()
  expect(first?.end).toBeLessThan(asleep + 1100)
  expect(second?.begin).toBeGreaterThanOrEqual(asleep + HOUR_MS)
  expect((second?.end ?? 0) - (second?.begin ?? 0)).toBeLessThan(11_000)
  const { spans } = recorder.watching(client.now())
  expect(spans.map(([from]) => from)).toEqual([expect.any(Number), expect.any(Number)])
  expect((spans[1]?.[0] ?? 0) - (spans[0]?.[1] ?? 0)).toBeGreaterThan(HOUR_MS - 1000)
})

test('a long suspension of the bridge ends a recording and leaves its clock unchanged', async () => {
  await play(10, 6)
  const stopped = client.now()
  awake += 20_000
  up += 20_000
  beat()
  await vi.waitUntil(async () => (await clips()).length === 1, patience)
  expect((await clips())[0]?.end).toBeLessThanOrEqual(stopped + 70)
  expect([client.now(), renewed]).toEqual([stopped + 20_000, 0])
})

test('setting the system clock interrupts nothing', async () => {
  await play(10, 6)
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + HOUR_MS)
  await play(1, 0)
  expect([(await clips()).length, renewed]).toEqual([0, 0])
  expect(recorder.watching(client.now()).waiting).toHaveLength(1)
})

test('a recording ends when the provider clock turns out to differ', async () => {
  await play(10, 6)
  const before = client.now()
  client.learnTime(String(Math.round(before + 120_000)))
  await vi.waitUntil(async () => (await clips()).length === 1, patience)
  expect((await clips())[0]?.end).toBeLessThanOrEqual(before + 70)
})
