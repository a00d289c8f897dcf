import { afterEach, expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { event } from '../../../contract/events/events.ts'
import { DEMO_HOMES } from '../../../contract/operator/operator-calls.ts'
import { DEMO_STATES } from '../../../contract/operator/demo-accounts.ts'
import { actionEndsAt, buildVirtualEvent, makeClip } from '../../../bridge/virtual/virtual-clip.ts'
import { planHistory } from '../../../bridge/virtual/demo-history.ts'
import { placeCameras } from '../../../bridge/virtual/assign-virtual-cameras.ts'
import { happenings } from '../../../bridge/virtual/day-schedule.ts'
import { Recorder } from '../../../bridge/virtual/virtual-recorder.ts'
import { RecordingQueue } from '../../../bridge/recording/recording-queue.ts'
import { ACTION, library } from '../../support/bridge-streams.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const input = { cameraId: 'PL1', scene: library.scene('driveway'), fps: library.manifest.fps, utcOffsetMinutes: 60 }
const plan = { scene: 'driveway', input }

afterEach(() => vi.useRealTimers())

test('cameras of the demo homes have ids that never change', () => {
  const homes = [
    { home_id: DEMO_HOMES.owner, demo: true },
    { home_id: DEMO_HOMES.free, demo: true },
  ]
  const cameras = placeCameras(library.manifest, homes)
  expect(cameras.find((camera) => camera.home === DEMO_HOMES.owner)).toMatchObject({
    device_id: 'PL611B01C41E',
    scene: 'driveway',
  })
  expect(cameras.filter((camera) => camera.home === DEMO_HOMES.free)).toHaveLength(1)
  expect(new Set(cameras.map((camera) => camera.device_id)).size).toBe(cameras.length)
  expect(placeCameras(library.manifest, homes)).toEqual(cameras)
})

test('demo homes that show plan states have no camera, even with an enrolled bridge', () => {
  const homes = DEMO_STATES.map(({ home }) => ({ home_id: home ?? 'none', demo: true }))
  expect(homes.length).toBeGreaterThan(0)
  expect(placeCameras(library.manifest, homes)).toEqual([])
})

test('the first home gets as many virtual cameras as requested, and none without a request', () => {
  const homes = [{ home_id: 'home_a', demo: false }]
  expect(placeCameras(library.manifest, homes)).toEqual([])
  const cameras = placeCameras(library.manifest, homes, 8)
  expect(new Set(cameras.map((camera) => camera.device_id)).size).toBe(8)
})

test('a history of sixty days has at most twelve events a day, all already ended', () => {
  const past = planHistory(library, plan, NOW)
  expect(past.length).toBeGreaterThan(600)
  expect(past.length).toBeLessThanOrEqual(720)
  expect(Math.max(...past.map((action) => actionEndsAt(library, action)))).toBeLessThan(NOW)
  expect(Math.min(...past.map((action) => action.at))).toBeGreaterThan(NOW - 61 * 86_400_000)
  const ids = past.map((action) => buildVirtualEvent(library, action).event_id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('several cameras record the same visits, daily in history and once in the first ten minutes', () => {
  const buildSchedule = (scene: string, more = {}) => ({
    scene,
    input: { ...input, cameraId: `PL-${scene}`, scene: library.scene(scene), ...more },
  })
  const listClips = (happenings: ReturnType<typeof planHistory>) =>
    happenings.flatMap((action) => buildVirtualEvent(library, action).event_resources)
  const shared = (clips: ReturnType<typeof listClips>, other: typeof clips) =>
    clips.filter((a) => other.some((b) => a.begin_time < b.end_time && b.begin_time < a.end_time))
  const pasts = ['driveway', 'front-door'].map((scene) => listClips(planHistory(library, buildSchedule(scene), NOW)))
  const days = new Set(
    shared(pasts[0] ?? [], pasts[1] ?? []).map(({ begin_time }) => Math.floor(begin_time / 86_400_000)),
  )
  expect(days.size).toBeGreaterThan(50)
  const now = ['driveway', 'front-door', 'street'].map((scene, index) =>
    listClips(happenings(buildSchedule(scene, { startedAt: NOW, slot: { index, count: 6 } }), NOW, NOW + 600_000)),
  )
  expect(shared(now[0] ?? [], now[1] ?? [])).toHaveLength(1)
  expect(shared(now[0] ?? [], now[2] ?? [])).toHaveLength(1)
})

test('every event of the history matches the contract and has a tag', () => {
  for (const action of planHistory(library, plan, NOW)) {
    const made = v.parse(event, buildVirtualEvent(library, action))
    expect(made.tags.length).toBeGreaterThan(0)
  }
})

test('a clip starts at a keyframe three seconds or slightly more before the action', async () => {
  const happening = { device_id: 'PL1', scene: 'driveway', light: 'day', action: ACTION.id, at: NOW } as const
  const { event_ts, event_resources } = buildVirtualEvent(library, happening)
  const begin = event_resources[0]?.begin_time ?? 0
  expect((begin - NOW) % 1000).toBe(0)
  expect(begin).toBe(NOW + Math.floor(Math.max(0, ACTION.from - 3)) * 1000)
  expect(event_ts).toBe(NOW + ACTION.from * 1000)
  expect((await makeClip(library, 'driveway', 'day', ACTION.id)).toString('latin1', 4, 8)).toBe('ftyp')
})

test('an action is queued once, as soon as it ends', async () => {
  vi.useFakeTimers({ now: NOW })
  const [first, second] = happenings(plan, NOW, NOW + 86_400_000)
  if (!first || !second) throw new RangeError('the plan is empty')
  const queue = new RecordingQueue('/nowhere', () => Promise.resolve())
  const add = vi.spyOn(queue, 'add').mockResolvedValue()
  const recorder = new Recorder(library, plan, { now: () => Date.now() }, queue, NOW)
  recorder.start()
  await vi.advanceTimersByTimeAsync(actionEndsAt(library, first) - NOW - 1)
  expect(add).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(add).toHaveBeenCalledExactlyOnceWith(buildVirtualEvent(library, first).event_id, first)
  await vi.advanceTimersByTimeAsync(actionEndsAt(library, second) - actionEndsAt(library, first))
  expect(add.mock.calls.map(([id]) => id)).toEqual([
    buildVirtualEvent(library, first).event_id,
    buildVirtualEvent(library, second).event_id,
  ])
  recorder.stop()
})
