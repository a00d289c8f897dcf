import { describe, expect, test } from 'vitest'
import {
  listActionsBetween,
  GRID_STEP_MS,
  getTimeOfDay,
  getFrameAt,
  type ScheduleInput,
} from '../../../scenes/day-plan.ts'
import type { ActionManifest, LightManifest, SceneManifest } from '../../../scenes/manifest.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../contract/time-units.ts'

const createAction = (id: string, frames: number): ActionManifest => ({
  id,
  label: id,
  summary: id,
  frames,
  files: {},
  thumb: '',
  from: 1,
  to: 2,
  best: 1.5,
  tags: ['motion'],
  people: [],
  sounds: [],
  boxes: [],
  moments: [],
})
const createTimeOfDayManifest = (...actions: ActionManifest[]): LightManifest => ({
  poster: '',
  quiet: { frames: 600, files: {} },
  actions,
})
const scene: SceneManifest = {
  name: 'Test',
  renditions: ['360'],
  outdoor: true,
  lights: {
    day: createTimeOfDayManifest(createAction('a', 300), createAction('b', 600), createAction('c', 300)),
    dusk: { ...createTimeOfDayManifest(createAction('a', 300)), quiet: { frames: 300, files: {} } },
    night: createTimeOfDayManifest(createAction('n', 600), createAction('m', 300)),
  },
}
const createPlanInput = (more: Partial<ScheduleInput> = {}): ScheduleInput => ({
  cameraId: 'cam-1',
  scene,
  fps: 15,
  utcOffsetMinutes: -300,
  ...more,
})
const midnight = Date.UTC(2026, 10, 20, 5)

describe('day schedule', () => {
  test('distinguishes day, dusk and night by local time', () => {
    const at = (hour: number, minute: number) => getTimeOfDay(Date.UTC(2026, 10, 20, hour + 5, minute), -300)
    expect([at(6, 29), at(6, 30), at(7, 29), at(7, 30)]).toEqual(['night', 'dusk', 'dusk', 'day'])
    expect([at(18, 29), at(18, 30), at(19, 29), at(19, 30)]).toEqual(['day', 'dusk', 'dusk', 'night'])
    expect(getTimeOfDay(Date.UTC(2026, 10, 20, 0, 0), 330)).toBe('night')
  })

  test('ends an action in the same phase of the day that it began in', () => {
    for (let c = 0; c < 40; c++)
      for (const entry of listActionsBetween(createPlanInput({ cameraId: `cam-${c}` }), midnight, midnight + DAY_MS))
        expect(getTimeOfDay(entry.at + (entry.frames * 1000) / 15 - 1, -300)).toBe(entry.light)
  })

  test('gives the same schedule for the same input and a different one for another camera', () => {
    const plan = listActionsBetween(createPlanInput(), midnight, midnight + DAY_MS)
    expect(listActionsBetween(createPlanInput(), midnight, midnight + DAY_MS)).toEqual(plan)
    expect(listActionsBetween(createPlanInput({ cameraId: 'cam-2' }), midnight, midnight + DAY_MS)).not.toEqual(plan)
    const mid = plan[5]!.at
    expect(listActionsBetween(createPlanInput(), mid, mid + 1)).toEqual([plan[5]])
  })

  test('has 10 to 30 actions a day, on the grid, mostly by day, never overlapping', () => {
    for (let c = 0; c < 40; c++) {
      const startedAt = midnight + c * 1_234_567
      const plan = listActionsBetween(createPlanInput({ cameraId: `cam-${c}`, startedAt }), midnight, midnight + DAY_MS)
      expect(plan.length).toBeGreaterThanOrEqual(10)
      expect(plan.length).toBeLessThanOrEqual(30)
      expect(plan.filter((e) => e.light !== 'night').length).toBeGreaterThan(plan.length / 2 - 1)
      for (const { at } of plan) expect(at % GRID_STEP_MS).toBe(0)
      for (const [before, { at }] of plan.slice(1).entries())
        expect(at).toBeGreaterThanOrEqual(plan[before]!.at + (plan[before]!.frames * 1000) / 15)
    }
  })

  test('shows an action on some camera every two minutes during the first ten minutes', () => {
    for (const count of [1, 3, 6]) {
      const startedAt = Date.UTC(2026, 10, 20, 15, 3, 7)
      const all = Array.from({ length: count }, (_, index) =>
        listActionsBetween(
          createPlanInput({ cameraId: `c${index}`, startedAt, slot: { index, count } }),
          startedAt,
          startedAt + 600_000,
        ),
      ).flat()
      const at = all.map((e) => e.at).sort((a, b) => a - b)
      expect(at.filter((x) => x >= startedAt + 20_000 && x <= startedAt + 40_000).length).toBeGreaterThan(0)
      for (let t = startedAt + 40_000; t + 120_000 <= startedAt + 600_000; t += 10_000)
        expect(at.some((x) => x >= t && x < t + 120_000)).toBe(true)
    }
  })

  test('shows an action on some camera about every five minutes from 18:00 to 23:00', () => {
    const evening = { from: midnight + 18 * HOUR_MS, to: midnight + 23 * HOUR_MS }
    for (const count of [6, 7, 12]) {
      const plans = Array.from({ length: count }, (_, index) =>
        listActionsBetween(
          createPlanInput({ cameraId: `c${index}`, startedAt: midnight, slot: { index, count } }),
          evening.from,
          evening.to,
        ),
      )
      const times = plans.flatMap((plan) => plan.map(({ at }) => at)).sort((a, b) => a - b)
      const gaps = [...times, evening.to].map((at, i) => at - (times[i - 1] ?? evening.from))
      expect(Math.max(...gaps)).toBeLessThanOrEqual(8 * MINUTE_MS)
      expect(times.length).toBeGreaterThanOrEqual(60)
    }
  })

  test('has at most 40 actions a day and camera, on the grid, without overlaps, each in one phase of the day', () => {
    for (let c = 0; c < 60; c++) {
      const startedAt = midnight + c * 1_234_567,
        slot = { index: c % 6, count: [1, 2, 6, 20][c % 4]! }
      for (const day of [0, 1, 2]) {
        const from = midnight + day * DAY_MS,
          plan = listActionsBetween(createPlanInput({ cameraId: `cam-${c}`, startedAt, slot }), from, from + DAY_MS)
        expect(plan.length).toBeLessThanOrEqual(40)
        for (const { at, frames, light } of plan) {
          expect(at % GRID_STEP_MS).toBe(0)
          expect(getTimeOfDay(at, -300)).toBe(light)
          expect(getTimeOfDay(at + (frames * 1000) / 15 - 1, -300)).toBe(light)
        }
        for (const [before, { at }] of plan.slice(1).entries())
          expect(at).toBeGreaterThanOrEqual(plan[before]!.at + (plan[before]!.frames * 1000) / 15)
      }
    }
  })

  test('adds the actions of the evening only after the start, and none to a schedule without a camera slot', () => {
    const startedAt = midnight + 20 * HOUR_MS
    const [live, plain] = [{ startedAt, slot: { index: 2, count: 6 } }, {}].map((more) =>
      listActionsBetween(createPlanInput(more), midnight, midnight + DAY_MS),
    )
    const before = (entry: { at: number }) => entry.at < startedAt
    expect(live!.filter(before)).toEqual(plain!.filter(before))
    expect(live!.length).toBeGreaterThan(plain!.length)
  })

  test('runs without jumps: frames are consecutive, and segments change only on the grid', () => {
    const startedAt = Date.UTC(2026, 10, 20, 23, 55, 0),
      planInput = createPlanInput({ startedAt })
    let last = getFrameAt(planInput, startedAt)
    for (let n = 1; n < 15 * 900; n++) {
      const ms = startedAt + Math.ceil((n * 1000) / 15),
        picture = getFrameAt(planInput, ms)
      if (picture.segmentStart === last.segmentStart && picture.kind === last.kind && picture.light === last.light)
        expect(picture.frame - last.frame).toBe(1)
      else {
        expect(picture.frame % 300).toBe(0)
        expect((last.frame + 1) % 300).toBe(0)
      }
      last = picture
    }
  })
})
