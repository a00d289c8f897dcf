import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { $isScrollingFast, recordScroll } from '../../../../../src/islands/events/parts/scroll-velocity.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/**
 * Scrolls for ten frames at `speed` px/s, from position `top` (px) and time `at` (ms). Returns the number of frames in
 * which `$isScrollingFast` is true.
 */
function countRushingFrames(speed: number, top: number, at: number): number {
  recordScroll(top, at)
  return Array.from({ length: 10 }, (_, frame) => {
    recordScroll(top + (speed / 60) * (frame + 1), at + (1000 / 60) * (frame + 1))
    return $isScrollingFast.get()
  }).filter(Boolean).length
}

test('a list that scrolls slowly does not count as rushing; a fast one does', () => {
  expect(countRushingFrames(1000, 0, 10_000)).toBe(0)
  expect(countRushingFrames(4000, 5000, 20_000)).toBe(10)
  vi.advanceTimersByTime(119)
  expect($isScrollingFast.get()).toBe(true)
  vi.advanceTimersByTime(1)
  expect($isScrollingFast.get()).toBe(false)
})

test('fast scrolling backward counts as rushing, like fast scrolling forward', () => {
  expect(countRushingFrames(-4000, 9000, 40_000)).toBe(10)
  vi.runAllTimers()
  expect($isScrollingFast.get()).toBe(false)
})
