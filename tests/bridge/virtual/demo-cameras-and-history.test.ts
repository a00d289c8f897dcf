import { afterEach, expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { event } from '../../../contract/events/events.ts'
import { DEMO_HOMES } from '../../../contract/operator/operator-calls.ts'
import { DEMO_PLAN_STATE_ACCOUNTS } from '../../../contract/operator/demo-accounts.ts'
import { getActionEnd, buildVirtualEvent, buildClip } from '../../../bridge/virtual/virtual-clip.ts'
import { planHistory } from '../../../bridge/virtual/demo-history.ts'
import { assignVirtualCameras } from '../../../bridge/virtual/assign-virtual-cameras.ts'
import { listActions } from '../../../bridge/virtual/day-schedule.ts'
import { VirtualRecorder } from '../../../bridge/virtual/virtual-recorder.ts'
import { RecordingQueue } from '../../../bridge/recording/recording-queue.ts'
import { DRIVEWAY_ACTION, sceneLibrary } from '../../support/bridge-streams.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const scheduleInput = {
  cameraId: 'PL1',
  scene: sceneLibrary.getScene('driveway'),
  fps: sceneLibrary.manifest.fps,
  utcOffsetMinutes: 60,
}
const schedule = { scene: 'driveway', input: scheduleInput }

afterEach(() => vi.useRealTimers())

test('cameras of the demo homes have ids that never change', () => {
  const homes = [
    { home_id: DEMO_HOMES.owner, demo: true },
    { home_id: DEMO_HOMES.free, demo: true },
  ]
  const cameras = assignVirtualCameras(sceneLibrary.manifest, homes)
  expect(cameras.find((camera) => camera.home === DEMO_HOMES.owner)).toMatchObject({
    device_id: 'PL611B01C41E',
    scene: 'driveway',
  })
  expect(cameras.filter((camera) => camera.home === DEMO_HOMES.free)).toHaveLength(1)
  expect(new Set(cameras.map((camera) => camera.device_id)).size).toBe(cameras.length)
  expect(assignVirtualCameras(sceneLibrary.manifest, homes)).toEqual(cameras)
})

test('demo homes that show plan states have no camera, even with an enrolled bridge', () => {
  const homes = DEMO_PLAN_STATE_ACCOUNTS.map(({ home }) => ({ home_id: home ?? 'none', demo: true }))
  expect(homes.length).toBeGreaterThan(0)
  expect(assignVirtualCameras(sceneLibrary.manifest, homes)).toEqual([])
})

test('the first home gets as many virtual cameras as requested, and none without a request', () => {
  const homes = [{ home_id: 'home_a', demo: false }]
  expect(assignVirtualCameras(sceneLibrary.manifest, homes)).toEqual([])
  const cameras = assignVirtualCameras(sceneLibrary.manifest, homes, 8)
  expect(new Set(cameras.map((camera) => camera.device_id)).size).toBe(8)
})

test('a history of sixty days has at most twelve events a day, all already ended', () => {
  const history = planHistory(sceneLibrary, schedule, NOW)
  expect(history.length).toBeGreaterThan(600)
  expect(history.length).toBeLessThanOrEqual(720)
  expect(Math.max(...history.map((action) => getActionEnd(sceneLibrary, action)))).toBeLessThan(NOW)
  expect(Math.min(...history.map((action) => action.at))).toBeGreaterThan(NOW - 61 * 86_400_000)
  const ids = history.map((action) => buildVirtualEvent(sceneLibrary, action).event_id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('several cameras record the same visits, daily in history and once in the first ten minutes', () => {
  const buildSchedule = (scene: string, overrides = {}) => ({
    scene,
    input: { ...scheduleInput, cameraId: `PL-${scene}`, scene: sceneLibrary.getScene(scene), ...overrides },
  })
  const listClips = (actions: ReturnType<typeof planHistory>) =>
    actions.flatMap((action) => buildVirtualEvent(sceneLibrary, action).event_resources)
  const findOverlaps = (clips: ReturnType<typeof listClips>, other: typeof clips) =>
    clips.filter((a) => other.some((b) => a.begin_time < b.end_time && b.begin_time < a.end_time))
  const histories = ['driveway', 'front-door'].map((scene) =>
    listClips(planHistory(sceneLibrary, buildSchedule(scene), NOW)),
  )
  const days = new Set(
    findOverlaps(histories[0] ?? [], histories[1] ?? []).map(({ begin_time }) => Math.floor(begin_time / 86_400_000)),
  )
  expect(days.size).toBeGreaterThan(50)
  const firstTenMinutes = ['driveway', 'front-door', 'street'].map((scene, index) =>
    listClips(listActions(buildSchedule(scene, { startedAt: NOW, slot: { index, count: 6 } }), NOW, NOW + 600_000)),
  )
  expect(findOverlaps(firstTenMinutes[0] ?? [], firstTenMinutes[1] ?? [])).toHaveLength(1)
  expect(findOverlaps(firstTenMinutes[0] ?? [], firstTenMinutes[2] ?? [])).toHaveLength(1)
})

test('every event of the history matches the contract and has a tag', () => {
  for (const action of planHistory(sceneLibrary, schedule, NOW)) {
    const parsedEvent = v.parse(event, buildVirtualEvent(sceneLibrary, action))
    expect(parsedEvent.tags.length).toBeGreaterThan(0)
  }
})

test('a clip starts at a keyframe three seconds or slightly more before the action', async () => {
  const action = { device_id: 'PL1', scene: 'driveway', light: 'day', action: DRIVEWAY_ACTION.id, at: NOW } as const
  const { event_ts, event_resources } = buildVirtualEvent(sceneLibrary, action)
  const begin = event_resources[0]?.begin_time ?? 0
  expect((begin - NOW) % 1000).toBe(0)
  expect(begin).toBe(NOW + Math.floor(Math.max(0, DRIVEWAY_ACTION.from - 3)) * 1000)
  expect(event_ts).toBe(NOW + DRIVEWAY_ACTION.from * 1000)
  expect((await buildClip(sceneLibrary, 'driveway', 'day', DRIVEWAY_ACTION.id)).toString('latin1', 4, 8)).toBe('ftyp')
})

test('an action is queued once, as soon as it ends', async () => {
  vi.useFakeTimers({ now: NOW })
  const [first, second] = listActions(schedule, NOW, NOW + 86_400_000)
  if (!first || !second) throw new RangeError('the schedule is empty')
  const queue = new RecordingQueue('/nowhere', () => Promise.resolve())
  const add = vi.spyOn(queue, 'add').mockResolvedValue()
  const recorder = new VirtualRecorder(sceneLibrary, schedule, { now: () => Date.now() }, queue, NOW)
  recorder.scheduleNextCheck()
  await vi.advanceTimersByTimeAsync(getActionEnd(sceneLibrary, first) - NOW - 1)
  expect(add).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(add).toHaveBeenCalledExactlyOnceWith(buildVirtualEvent(sceneLibrary, first).event_id, first)
  await vi.advanceTimersByTimeAsync(getActionEnd(sceneLibrary, second) - getActionEnd(sceneLibrary, first))
  expect(add.mock.calls.map(([id]) => id)).toEqual([
    buildVirtualEvent(sceneLibrary, first).event_id,
    buildVirtualEvent(sceneLibrary, second).event_id,
  ])
  recorder.stop()
})
