import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { MOTION_FPS, GrayDecoder } from '../../../bridge/motion/gray-decoder.ts'
import { MotionDetector } from '../../../bridge/motion/motion-detector.ts'
import { Episodes, type Episode } from '../../../bridge/motion/motion-episodes.ts'
import { readLooks, writeLook, type TracedLook } from '../../../bridge/motion/trace-encoding.ts'
import { MotionRule } from '../../../bridge/motion/sensitivity-filter.ts'
import { MotionTrace } from '../../../bridge/motion/motion-trace.ts'
import { TRIAL_MS } from '../../../bridge/motion/motion-preview.ts'
import { actionEndsAt, buildVirtualEvent } from '../../../bridge/virtual/virtual-clip.ts'
import { happenings } from '../../../bridge/virtual/day-schedule.ts'
import { ProviderError } from '../../../bridge/uplink/provider-client.ts'
import { RecordingQueue } from '../../../bridge/recording/recording-queue.ts'
import { Recorder } from '../../../bridge/virtual/virtual-recorder.ts'
import { MotionRecorder } from '../../../bridge/recording/motion-recorder.ts'
import { type CameraSettings, DEFAULT_CAMERA_SETTINGS } from '../../../contract/cameras/camera-settings.ts'
import { ACTION, library } from '../../support/bridge-streams.ts'

const START = 1_795_181_460_000
const STEP = 1000 / MOTION_FPS
type Zones = CameraSettings['zones']
const box = (x: number, y: number, w: number, h: number): Zones => [
  [
    [x, y],
    [x + w, y],
    [x + w, y + h],
    [x, y + h],
  ],
]
const settings = (sensitivity: number, zones: Zones = []): CameraSettings => ({ motion: true, sensitivity, zones })
const NOTHING = settings(0, box(0, 0, 0.01, 0.01))
const TRIED = [
  settings(50),
  settings(100),
  settings(0),
  settings(75, box(0, 0.5, 1, 0.5)),
  settings(90, box(0.5, 0, 0.5, 0.6)),
]

/** Gray frames of the driveway: quiet, action, quiet, action. */
let reel: Buffer[] = []
let data = ''
beforeAll(async () => {
  const quiet = library.scene('driveway').lights.day.quiet.files['360'] ?? ''
  const action = ACTION.files['360'] ?? ''
  await new Promise<void>((resolve) => {
    const decoder = new GrayDecoder({
      pace: library.manifest.fps,
      onFrame: (gray) => void reel.push(Buffer.from(gray)),
      onEnd: resolve,
    })
    void (async () => {
      for (const file of [quiet, action, quiet, action])
        for (const picture of await library.segment(file)) {
          decoder.push(picture)
          if (decoder.behind > 200_000) await decoder.drained()
        }
      decoder.finish()
    })()
  })
})
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'trial-'))
})
afterEach(() => {
  vi.useRealTimers()
  return rm(data, { recursive: true, force: true })
})
afterAll(() => void (reel = []))

/** Returns the detector's episodes on the reel; the camera disconnects briefly in the middle. */
function detected(chosen: CameraSettings): Pick<Episode, 'begin' | 'end'>[] {
  const found: Episode[] = []
  const episodes = new Episodes({ began: () => undefined, ended: (episode) => void found.push(episode) })
  run(
    chosen,
    (sample) => episodes.push(sample),
    () => episodes.close(),
  )
  episodes.close()
  return found.map(({ begin, end }) => ({ begin, end }))
}

function run(
  chosen: CameraSettings,
  onSample: (sample: { at: number; moving: boolean; area: number }, look: TracedLook['look']) => void,
  away: () => void,
): void {
  const [detector, rule] = [new MotionDetector(), new MotionRule(chosen)]
  for (const [i, gray] of reel.entries()) {
    const at = START + i * STEP
    if (i === Math.round(reel.length * 0.45)) {
      away()
      detector.reset()
    }
    const look = detector.push(gray, at)
    onSample({ at, ...rule.judge(look) }, look)
  }
}

/** Returns a recorder that has watched the reel, and the ids of the events in its queue. */
async function watched(chosen: CameraSettings): Promise<{ recorder: MotionRecorder; ids: string[]; now: number }> {
  const queue = new RecordingQueue(data, () => Promise.reject(new ProviderError(0, 'down')))
  await queue.open()
  const recorder = new MotionRecorder({ deviceId: 'RC1', name: 'Porch', queue })
  run(
    chosen,
    (sample, look) => recorder.sample(sample, undefined, look),
    () => recorder.interrupt(),
  )
  recorder.interrupt()
  await recorder.idle()
  queue.stop()
  const ids = (await queue.waiting()).map((name) => name.replace(/\.json$/, ''))
  return { recorder, ids, now: START + reel.length * STEP }
}

test('previewed settings find exactly what the detector would have found with them', async () => {
  const { recorder, now } = await watched(NOTHING)
  const counts = new Set<number>()
  for (const candidate of TRIED) {
    const { events } = await recorder.try(candidate, now)
    const live = detected(candidate)
    expect(events.map(({ begin, end }) => ({ begin, end })).reverse()).toEqual(live)
    expect(new Set(events.map(({ outcome }) => outcome))).toEqual(new Set(live.length > 0 ? ['new'] : []))
    counts.add(live.reduce((sum, { begin, end }) => sum + end - begin, 0))
  }
  expect(counts.size).toBeGreaterThan(2)
})

test('the settings in use keep each event, other settings lose it, and motion off keeps none', async () => {
  const { recorder, ids, now } = await watched(settings(50))
  expect(ids.length).toBeGreaterThan(0)
  const preview = await recorder.try(settings(50), now)
  expect(preview.events.map(({ outcome, event_id }) => [outcome, event_id]).sort()).toEqual(
    ids.map((id) => ['kept', id]).sort(),
  )
  const off = { ...settings(50), motion: false }
  for (const candidate of [NOTHING, off]) {
    const lost = await recorder.try(candidate, now)
    expect(lost.events.map(({ outcome, event_id }) => [outcome, event_id]).sort()).toEqual(
      ids.map((id) => ['lost', id]).sort(),
    )
  }
})

test('a preview reports since when and for how long the camera was watched', async () => {
  const { recorder, now } = await watched(settings(50))
  const { since, watched_ms } = await recorder.try(settings(50), now)
  expect([since, watched_ms]).toEqual([START, (reel.length - 1) * STEP])
  const later = await recorder.try(settings(50), now + TRIAL_MS)
  expect(later).toEqual({ since: null, watched_ms: 0, events: [] })
  const fresh = new MotionTrace()
  expect(await fresh.try(settings(50), now)).toEqual({ since: null, watched_ms: 0, events: [] })
})

test('a trace of constant motion keeps as much of the last hour as fits in 2 MB', async () => {
  const trace = new MotionTrace()
  const pixels = Uint16Array.from({ length: 400 }, (_, i) => 2000 + i * 20)
  let seed = 1
  const random = () => (seed = (seed * 48_271) % 2_147_483_647)
  const count = (TRIAL_MS / STEP) * 1.5
  for (let i = 0; i < count; i++) {
    const tiers = Uint8Array.from(pixels, () => random() % 100)
    trace.push({ at: START + i * STEP, brightness: 130, learning: false, pixels, tiers })
  }
  const now = START + count * STEP
  const { since, watched_ms } = await trace.try(settings(50), now)
  expect(since).toBeGreaterThan(now - TRIAL_MS)
  expect(Math.abs(now - (since ?? 0) - watched_ms)).toBeLessThan(1000)
  const blocks = (trace as unknown as { blocks: { packed: Buffer }[] }).blocks
  expect(blocks.reduce((sum, { packed }) => sum + packed.length, 0)).toBeLessThanOrEqual(2 * 1024 * 1024)
})

test('a motion sample is unchanged after a write and a read, wherever its pixels are', () => {
  const looks = [[], [0], [1, 2, 300, 14_399], [254, 509, 765]].map((pixels, i): TracedLook => ({
    look: {
      ...{ at: START + i * 70_000, brightness: i * 85, learning: i === 1 },
      pixels: Uint16Array.from(pixels),
      tiers: Uint8Array.from(pixels, (pixel) => pixel % 229),
    },
    keyframesOnly: i === 2,
    afterBreak: i === 3,
  }))
  const bytes = Buffer.concat(looks.map((sample, i) => writeLook(sample, START + Math.max(0, i - 1) * 70_000)))
  expect([...readLooks(bytes, START)]).toEqual(looks)
})

test('a virtual camera previews zones and sensitivity on the events since it was switched on', async () => {
  const plan = {
    scene: 'street',
    input: { cameraId: 'PL1', scene: library.scene('street'), fps: library.manifest.fps, utcOffsetMinutes: 0 },
  }
  const midnight = Date.UTC(2026, 10, 21)
  const days = happenings(plan, midnight, midnight + 5 * 86_400_000)
  const [first] = days.filter(({ action }) => action === 'fox')
  if (!first) throw new RangeError('no fox on these days')
  vi.useFakeTimers({ now: first.at - 1000 })
  const queue = new RecordingQueue(data, () => Promise.resolve())
  const add = vi.spyOn(queue, 'add').mockResolvedValue()
  const recorder = new Recorder(library, plan, { now: () => Date.now() }, queue, Date.now())
  recorder.resume()
  await vi.advanceTimersByTimeAsync(actionEndsAt(library, first) - Date.now() + 1000)
  const { event_id } = buildVirtualEvent(library, first)
  expect(add).toHaveBeenCalledExactlyOnceWith(event_id, first)
  const outcomes = (candidate: CameraSettings) =>
    recorder.try(candidate).events.map((event) => [event.outcome, event.event_id])
  expect(outcomes(DEFAULT_CAMERA_SETTINGS)).toEqual([['kept', event_id]])
  expect(outcomes(settings(0))).toEqual([['lost', event_id]])
  expect(outcomes(settings(50, box(0, 0, 0.05, 0.05)))).toEqual([['lost', event_id]])
  expect(recorder.try(DEFAULT_CAMERA_SETTINGS)).toMatchObject({
    since: first.at - 1000,
    watched_ms: Date.now() - first.at + 1000,
  })
  recorder.stop()
  await vi.advanceTimersByTimeAsync(TRIAL_MS / 2)
  expect(recorder.try(DEFAULT_CAMERA_SETTINGS).watched_ms).toBe(actionEndsAt(library, first) + 2000 - first.at)
})
