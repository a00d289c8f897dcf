import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { $isRushing, recordScroll } from '../../../../../src/islands/events/parts/scroll-velocity.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/**
 * Scrolls for ten frames at `speed` px/s, from position `top` (px) and time `at` (ms). Returns the number of frames in
 * which `$isRushing` is true.
 */
function scroll(speed: number, top: number, at: number): number {
  recordScroll(top, at)
  return Array.from({ length: 10 }, (_, frame) => {
    recordScroll(top + (speed / 60) * (frame + 1), at + (1000 / 60) * (frame + 1))
    return $isRushing.get()
  }).filter(Boolean).length
}

test('a list that scrolls slowly does not count as rushing; a fast one does', () => {
  expect(scroll(1000, 0, 10_000)).toBe(0)
  expect(scroll(4000, 5000, 20_000)).toBe(10)
  vi.advanceTimersByTime(119)
  expect($isRushing.get()).toBe(true)
  vi.advanceTimersByTime(1)
  expect($isRushing.get()).toBe(false)
})

test('fast scrolling backward counts as rushing, like fast scrolling forward', () => {
  expect(scroll(-4000, 9000, 40_000)).toBe(10)
  vi.runAllTimers()
  expect($isRushing.get()).toBe(false)
})
