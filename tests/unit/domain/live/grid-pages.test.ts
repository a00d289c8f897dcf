import { describe, expect, test } from 'vitest'
import {
  getClockOffset,
  EVENT_DURATION_MS,
  isNewEvent,
  MAX_CAMERAS_PER_PAGE,
  PAGE_DURATION_MS,
  advancePage,
  createWallPages,
  moveCameraToFront,
} from '../../../../src/domain/live/wall-pages.ts'

const createCameraIds = (count: number) => Array.from({ length: count }, (_, index) => `camera${index}`)
const EVENING_LAYOUT = {
  name: 'Evening',
  mode: 'focus',
  order: ['camera2', 'camera0'],
  shown: ['camera0', 'camera2'],
} as const

describe('wall mode pages', () => {
  test('show every camera exactly once, at most nine per page', () => {
    for (const count of [1, 6, 9, 10, 19]) {
      const pages = createWallPages(createCameraIds(count), [])
      expect(pages.flatMap((page) => page.ids)).toEqual(createCameraIds(count))
      expect(Math.max(...pages.map((page) => page.ids.length))).toBeLessThanOrEqual(MAX_CAMERAS_PER_PAGE)
    }
    expect([9, 10].map((count) => createWallPages(createCameraIds(count), []).length)).toEqual([1, 2])
    expect(createWallPages([], [])).toEqual([])
  })

  test('show the saved layouts after all cameras, in order, without any that would repeat a page', () => {
    const all = { ...EVENING_LAYOUT, name: 'All', shown: [] }
    const empty = { ...EVENING_LAYOUT, name: 'Gone', shown: ['gone'] }
    expect(createWallPages(createCameraIds(3), [EVENING_LAYOUT, empty]).map(({ name }) => name)).toEqual([
      'All cameras',
      'Evening',
    ])
    expect(createWallPages(createCameraIds(3), [EVENING_LAYOUT])[1]).toEqual({
      name: 'Evening',
      ids: ['camera2', 'camera0'],
      mode: 'focus',
    })
    expect(createWallPages(createCameraIds(2), [{ ...all, order: createCameraIds(2) }])).toHaveLength(1)
  })

  test('turn when they are due, however late the timer fires', () => {
    const turn = { page: 0, dueAt: 1000 }
    expect(advancePage(turn, 3, 999)).toEqual(turn)
    expect(advancePage(turn, 3, 1000)).toEqual({ page: 1, dueAt: 1000 + PAGE_DURATION_MS })
    expect(advancePage(turn, 3, 1400)).toEqual({ page: 1, dueAt: 1000 + PAGE_DURATION_MS })
    expect(advancePage(turn, 3, 1000 + 4 * PAGE_DURATION_MS)).toEqual({ page: 2, dueAt: 1000 + 5 * PAGE_DURATION_MS })
    expect(advancePage(turn, 1, 5000)).toEqual(turn)
  })
})

describe('event in wall mode', () => {
  test('counts as new for a minute', () => {
    expect([isNewEvent(0, 59_999), isNewEvent(0, 60_000), isNewEvent(5000, 0)]).toEqual([true, false, true])
    expect(EVENT_DURATION_MS).toBe(20_000)
  })

  test('puts its camera first, and replaces another one if the page does not include it', () => {
    const page = { name: 'All cameras', ids: createCameraIds(3), mode: 'grid' } as const
    expect(moveCameraToFront(page, 'camera2')).toEqual({
      ...page,
      ids: ['camera2', 'camera0', 'camera1'],
      mode: 'focus',
    })
    expect(moveCameraToFront(page, 'other').ids).toEqual(['other', 'camera0', 'camera1'])
    expect(moveCameraToFront({ ...page, ids: createCameraIds(2) }, 'camera1')).toEqual({
      ...page,
      ids: ['camera1', 'camera0'],
    })
  })
})

test('the wall mode clock moves 4 px each minute, and is back after four', () => {
  const at = [0, 1, 2, 3, 4].map((minute) => getClockOffset(minute * 60_000))
  expect(at[4]).toEqual(at[0])
  for (const [index, { x, y }] of at.slice(1).entries())
    expect(Math.abs(x - at[index]!.x) + Math.abs(y - at[index]!.y)).toBe(4)
  expect(new Set(at.map(({ x, y }) => `${x} ${y}`)).size).toBe(4)
})
