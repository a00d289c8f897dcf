import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { MOTION_FPS, GrayDecoder } from '../../../bridge/motion/gray-decoder.ts'
import { MotionDetector } from '../../../bridge/motion/motion-detector.ts'
import { EpisodeDetector, type Episode } from '../../../bridge/motion/motion-episodes.ts'
import { decodeSamples, encodeSample, type TracedSample } from '../../../bridge/motion/trace-encoding.ts'
import { SensitivityFilter } from '../../../bridge/motion/sensitivity-filter.ts'
import { MotionTrace } from '../../../bridge/motion/motion-trace.ts'
import { PREVIEW_MS } from '../../../bridge/motion/motion-preview.ts'
import { getActionEnd, buildVirtualEvent } from '../../../bridge/virtual/virtual-clip.ts'
import { listActions } from '../../../bridge/virtual/day-schedule.ts'
import { ProviderError } from '../../../bridge/uplink/provider-client.ts'
import { RecordingQueue } from '../../../bridge/recording/recording-queue.ts'
import { VirtualRecorder } from '../../../bridge/virtual/virtual-recorder.ts'
import { MotionRecorder } from '../../../bridge/recording/motion-recorder.ts'
import { type CameraSettings, DEFAULT_CAMERA_SETTINGS } from '../../../contract/cameras/camera-settings.ts'
import { DRIVEWAY_ACTION, sceneLibrary } from '../../support/bridge-streams.ts'

const START_MS = 1_795_181_460_000
const FRAME_INTERVAL_MS = 1000 / MOTION_FPS
type Zones = CameraSettings['zones']
const createZone = (x: number, y: number, w: number, h: number): Zones => [
  [
    [x, y],
    [x + w, y],
    [x + w, y + h],
    [x, y + h],
  ],
]
const createSettings = (sensitivity: number, zones: Zones = []): CameraSettings => ({
  motion: true,
  sensitivity,
  zones,
})
const NO_MOTION_SETTINGS = createSettings(0, createZone(0, 0, 0.01, 0.01))
const PREVIEWED_SETTINGS = [
  createSettings(50),
  createSettings(100),
  createSettings(0),
  createSettings(75, createZone(0, 0.5, 1, 0.5)),
  createSettings(90, createZone(0.5, 0, 0.5, 0.6)),
]

/** Gray frames of the driveway scene: quiet, action, quiet, action. */
let grayFrames: Buffer[] = []
let data = ''
beforeAll(async () => {
  const quiet = sceneLibrary.getScene('driveway').lights.day.quiet.files['360'] ?? ''
  const action = DRIVEWAY_ACTION.files['360'] ?? ''
  await new Promise<void>((resolve) => {
    const decoder = new GrayDecoder({
      pace: sceneLibrary.manifest.fps,
      onFrame: (gray) => void grayFrames.push(Buffer.from(gray)),
      onEnd: resolve,
    })
    void (async () => {
      for (const file of [quiet, action, quiet, action])
        for (const picture of await sceneLibrary.loadSegment(file)) {
          decoder.push(picture)
          if (decoder.unreadBytes > 200_000) await decoder.waitForDrain()
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
afterAll(() => void (grayFrames = []))

/** Returns the episodes that the detector finds in `grayFrames`. The camera disconnects briefly in the middle. */
function detectEpisodes(cameraSettings: CameraSettings): Pick<Episode, 'begin' | 'end'>[] {
  const found: Episode[] = []
  const episodes = new EpisodeDetector({ onBegin: () => undefined, onEnd: (episode) => void found.push(episode) })
  runDetector(
    cameraSettings,
    (sample) => episodes.push(sample),
    () => episodes.close(),
  )
  episodes.close()
  return found.map(({ begin, end }) => ({ begin, end }))
}

function runDetector(
  cameraSettings: CameraSettings,
  onSample: (sample: { at: number; moving: boolean; area: number }, motionSample: TracedSample['sample']) => void,
  onDisconnect: () => void,
): void {
  const [detector, rule] = [new MotionDetector(), new SensitivityFilter(cameraSettings)]
  for (const [i, gray] of grayFrames.entries()) {
    const at = START_MS + i * FRAME_INTERVAL_MS
    if (i === Math.round(grayFrames.length * 0.45)) {
      onDisconnect()
      detector.reset()
    }
    const motionSample = detector.push(gray, at)
    onSample({ at, ...rule.evaluate(motionSample) }, motionSample)
  }
}

async function recordGrayFrames(
  cameraSettings: CameraSettings,
): Promise<{ recorder: MotionRecorder; ids: string[]; now: number }> {
  const queue = new RecordingQueue(data, () => Promise.reject(new ProviderError(0, 'down')))
  await queue.open()
  const recorder = new MotionRecorder({ deviceId: 'RC1', name: 'Porch', queue })
  runDetector(
    cameraSettings,
    (sample, motionSample) => recorder.handleSample(sample, undefined, motionSample),
    () => recorder.interrupt(),
  )
  recorder.interrupt()
  await recorder.waitUntilFinished()
  queue.stop()
  const ids = (await queue.listWaiting()).map((name) => name.replace(/\.json$/, ''))
  return { recorder, ids, now: START_MS + grayFrames.length * FRAME_INTERVAL_MS }
}

test('previewed settings find exactly what the detector would have found with them', async () => {
  const { recorder, now } = await recordGrayFrames(NO_MOTION_SETTINGS)
  const counts = new Set<number>()
  for (const candidate of PREVIEWED_SETTINGS) {
    const { events } = await recorder.previewMotion(candidate, now)
    const live = detectEpisodes(candidate)
    expect(events.map(({ begin, end }) => ({ begin, end })).reverse()).toEqual(live)
    expect(new Set(events.map(({ outcome }) => outcome))).toEqual(new Set(live.length > 0 ? ['new'] : []))
    counts.add(live.reduce((sum, { begin, end }) => sum + end - begin, 0))
  }
  expect(counts.size).toBeGreaterThan(2)
})

test('the settings in use keep each event, other settings lose it, and motion off keeps none', async () => {
  const { recorder, ids, now } = await recordGrayFrames(createSettings(50))
  expect(ids.length).toBeGreaterThan(0)
  const preview = await recorder.previewMotion(createSettings(50), now)
  expect(preview.events.map(({ outcome, event_id }) => [outcome, event_id]).sort()).toEqual(
    ids.map((id) => ['kept', id]).sort(),
  )
  const off = { ...createSettings(50), motion: false }
  for (const candidate of [NO_MOTION_SETTINGS, off]) {
    const lost = await recorder.previewMotion(candidate, now)
    expect(lost.events.map(({ outcome, event_id }) => [outcome, event_id]).sort()).toEqual(
      ids.map((id) => ['lost', id]).sort(),
    )
  }
})

test('a preview reports since when and for how long the camera was watched', async () => {
  const { recorder, now } = await recordGrayFrames(createSettings(50))
  const { since, watched_ms } = await recorder.previewMotion(createSettings(50), now)
  expect([since, watched_ms]).toEqual([START_MS, (grayFrames.length - 1) * FRAME_INTERVAL_MS])
  const later = await recorder.previewMotion(createSettings(50), now + PREVIEW_MS)
  expect(later).toEqual({ since: null, watched_ms: 0, events: [] })
  const fresh = new MotionTrace()
  expect(await fresh.preview(createSettings(50), now)).toEqual({ since: null, watched_ms: 0, events: [] })
})

test('a trace of constant motion keeps as much of the last hour as fits in 2 MB', async () => {
  const trace = new MotionTrace()
  const pixels = Uint16Array.from({ length: 400 }, (_, i) => 2000 + i * 20)
  let seed = 1
  const random = () => (seed = (seed * 48_271) % 2_147_483_647)
  const count = (PREVIEW_MS / FRAME_INTERVAL_MS) * 1.5
  for (let i = 0; i < count; i++) {
    const tiers = Uint8Array.from(pixels, () => random() % 100)
    trace.push({ at: START_MS + i * FRAME_INTERVAL_MS, brightness: 130, learning: false, pixels, tiers })
  }
  const now = START_MS + count * FRAME_INTERVAL_MS
  const { since, watched_ms } = await trace.preview(createSettings(50), now)
  expect(since).toBeGreaterThan(now - PREVIEW_MS)
  expect(Math.abs(now - (since ?? 0) - watched_ms)).toBeLessThan(1000)
  expect(trace.compressedBytes).toBeGreaterThan(1024 * 1024)
  expect(trace.compressedBytes).toBeLessThanOrEqual(2 * 1024 * 1024)
})

test('a motion sample is unchanged after a write and a read, wherever its pixels are', () => {
  const tracedSamples = [[], [0], [1, 2, 300, 14_399], [254, 509, 765]].map((pixels, i): TracedSample => ({
    sample: {
      at: START_MS + i * 70_000,
      brightness: i * 85,
      learning: i === 1,
      pixels: Uint16Array.from(pixels),
      tiers: Uint8Array.from(pixels, (pixel) => pixel % 229),
    },
    keyframesOnly: i === 2,
    afterBreak: i === 3,
  }))
  const bytes = Buffer.concat(
    tracedSamples.map((sample, i) => encodeSample(sample, START_MS + Math.max(0, i - 1) * 70_000)),
  )
  expect([...decodeSamples(bytes, START_MS)]).toEqual(tracedSamples)
})

test('a virtual camera previews zones and sensitivity on the events since it was switched on', async () => {
  const schedule = {
    scene: 'street',
    input: {
      cameraId: 'PL1',
      scene: sceneLibrary.getScene('street'),
      fps: sceneLibrary.manifest.fps,
      utcOffsetMinutes: 0,
    },
  }
  const midnight = Date.UTC(2026, 10, 21)
  const plannedActions = listActions(schedule, midnight, midnight + 5 * 86_400_000)
  const [first] = plannedActions.filter(({ action }) => action === 'fox')
  if (!first) throw new RangeError('The schedule of these days has no fox.')
  vi.useFakeTimers({ now: first.at - 1000 })
  const queue = new RecordingQueue(data, () => Promise.resolve())
  const add = vi.spyOn(queue, 'add').mockResolvedValue()
  const recorder = new VirtualRecorder(sceneLibrary, schedule, { now: () => Date.now() }, queue, Date.now())
  recorder.resume()
  await vi.advanceTimersByTimeAsync(getActionEnd(sceneLibrary, first) - Date.now() + 1000)
  const { event_id } = buildVirtualEvent(sceneLibrary, first)
  expect(add).toHaveBeenCalledExactlyOnceWith(event_id, first)
  const outcomes = (candidate: CameraSettings) =>
    recorder.previewMotion(candidate).events.map((event) => [event.outcome, event.event_id])
  expect(outcomes(DEFAULT_CAMERA_SETTINGS)).toEqual([['kept', event_id]])
  expect(outcomes(createSettings(0))).toEqual([['lost', event_id]])
  expect(outcomes(createSettings(50, createZone(0, 0, 0.05, 0.05)))).toEqual([['lost', event_id]])
  expect(recorder.previewMotion(DEFAULT_CAMERA_SETTINGS)).toMatchObject({
    since: first.at - 1000,
    watched_ms: Date.now() - first.at + 1000,
  })
  recorder.stop()
  await vi.advanceTimersByTimeAsync(PREVIEW_MS / 2)
  expect(recorder.previewMotion(DEFAULT_CAMERA_SETTINGS).watched_ms).toBe(
    getActionEnd(sceneLibrary, first) + 2000 - first.at,
  )
})
