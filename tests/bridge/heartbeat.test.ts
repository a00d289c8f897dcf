import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os, { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ManagedCamera } from '../../bridge/cameras/managed-camera.ts'
import { Heartbeat } from '../../bridge/heartbeat.ts'
import { MotionRecorder } from '../../bridge/recording/motion-recorder.ts'
import { RecordingQueue } from '../../bridge/recording/recording-queue.ts'
import type { RecordedClip } from '../../bridge/recording/recorded-clip.ts'
import { ControlSocket } from '../../bridge/uplink/control-socket.ts'
import { ProviderClient, ProviderError } from '../../bridge/uplink/provider-client.ts'
import { WAIT_OPTIONS } from '../support/patience.ts'
import { sceneLibrary, ACTION_PICTURES } from '../support/bridge-streams.ts'
import { HOUR_MS } from '../../contract/time-units.ts'

const FRAME_MS = 1000 / 15
/** The computer's clocks, ms: `monotonicMs` stops while the computer sleeps, `uptimeMs` does not. */
let monotonicMs = 0
let uptimeMs = 0
let data = ''
let runHeartbeat: () => void
let queue: RecordingQueue
let recorder: MotionRecorder
let client: ProviderClient
let renewCount = 0
let heartbeat: Heartbeat

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'sleep-'))
  monotonicMs = 50_000
  uptimeMs = 9_000_000
  vi.spyOn(performance, 'now').mockImplementation(() => monotonicMs)
  vi.spyOn(os, 'uptime').mockImplementation(() => uptimeMs / 1000)
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const interval = vi.spyOn(globalThis, 'setInterval').mockReturnValueOnce(0 as never)
  client = new ProviderClient('http://127.0.0.1:1', { bridgeId: 'b', key: Buffer.alloc(32) })
  queue = new RecordingQueue(data, () => Promise.reject(new ProviderError(0, 'down')))
  await queue.open()
  recorder = new MotionRecorder({ deviceId: 'RC1', name: 'Porch', queue })
  const control = new ControlSocket(client, {
    createHello: () => ({ type: 'hello', version: '1', cameras: [] }),
    onMessage: () => undefined,
  })
  renewCount = 0
  vi.spyOn(control, 'renew').mockImplementation(() => void renewCount++)
  const managedCamera = {
    getDetectionCoverage: (now: number) => recorder.getDetectionCoverage(now),
    interrupt: () => recorder.interrupt(),
  } as ManagedCamera
  heartbeat = new Heartbeat({ units: new Map([['RC1', managedCamera]]), queue, library: sceneLibrary, client, control })
  heartbeat.start()
  runHeartbeat = interval.mock.calls[0]?.[0] as () => void
})
afterEach(async () => {
  heartbeat.stop()
  queue.stop()
  recorder.interrupt()
  await recorder.waitUntilFinished()
  vi.restoreAllMocks()
  await rm(data, { recursive: true, force: true })
})

/** Sends `seconds` of frames to the recorder and advances both clocks. Motion starts at second `motionStart`. */
async function playFrames(seconds: number, motionStart = Infinity): Promise<void> {
  for (let frame = 0; frame < seconds * 15; frame++) {
    monotonicMs += FRAME_MS
    uptimeMs += FRAME_MS
    const pts = client.now()
    recorder.addFrame({ ...ACTION_PICTURES[frame % ACTION_PICTURES.length]!, pts })
    const moving = frame / 15 >= motionStart
    if (frame % 3 === 0) recorder.handleSample({ at: pts, moving, area: moving ? 0.01 : 0 })
    if (frame % 15 === 14) {
      runHeartbeat()
      await new Promise(setImmediate)
    }
  }
}
async function readClips(): Promise<{ begin: number; end: number }[]> {
  await recorder.waitUntilFinished()
  const entries = await Promise.all(
    (await queue.listWaiting()).map(async (name) => JSON.parse(await readFile(join(data, 'queue', name), 'utf8'))),
  )
  return (entries as RecordedClip[]).flatMap(({ clip }) => clip ?? [])
}

test('computer sleep ends a recording, and the next one begins after waking, with the correct time', async () => {
  await playFrames(10, 6)
  const asleep = client.now()
  uptimeMs += HOUR_MS
  await playFrames(1, 0)
  expect(client.now()).toBeCloseTo(asleep + HOUR_MS + 1000, 0)
  expect(renewCount).toBe(1)
  await playFrames(10, 3)
  recorder.interrupt()
  await vi.waitUntil(async () => (await readClips()).length === 2, WAIT_OPTIONS)
  const [first, second] = await readClips()
  expect(first?.end).toBeLessThan(asleep + 1100)
  expect(second?.begin).toBeGreaterThanOrEqual(asleep + HOUR_MS)
  expect((second?.end ?? 0) - (second?.begin ?? 0)).toBeLessThan(11_000)
  const { spans } = recorder.getDetectionCoverage(client.now())
  expect(spans.map(([from]) => from)).toEqual([expect.any(Number), expect.any(Number)])
  expect((spans[1]?.[0] ?? 0) - (spans[0]?.[1] ?? 0)).toBeGreaterThan(HOUR_MS - 1000)
})

test('a long suspension of the bridge ends a recording and leaves its clock unchanged', async () => {
  await playFrames(10, 6)
  const stopped = client.now()
  monotonicMs += 20_000
  uptimeMs += 20_000
  runHeartbeat()
  await vi.waitUntil(async () => (await readClips()).length === 1, WAIT_OPTIONS)
  expect((await readClips())[0]?.end).toBeLessThanOrEqual(stopped + 70)
  expect([client.now(), renewCount]).toEqual([stopped + 20_000, 0])
})

test('setting the system clock interrupts nothing', async () => {
  await playFrames(10, 6)
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + HOUR_MS)
  await playFrames(1, 0)
  expect([(await readClips()).length, renewCount]).toEqual([0, 0])
  expect(recorder.getDetectionCoverage(client.now()).waiting).toHaveLength(1)
})

test('a recording ends when the provider clock turns out to differ', async () => {
  await playFrames(10, 6)
  const before = client.now()
  client.learnClockOffset(String(Math.round(before + 120_000)))
  await vi.waitUntil(async () => (await readClips()).length === 1, WAIT_OPTIONS)
  expect((await readClips())[0]?.end).toBeLessThanOrEqual(before + 70)
})
