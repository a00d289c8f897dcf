import { expect, test } from 'vitest'
import { DEFAULT_CAMERA_SETTINGS } from '../../../contract/cameras/camera-settings.ts'
import { MotionDetector } from '../../../bridge/motion/motion-detector.ts'
import { Episodes, type Episode } from '../../../bridge/motion/motion-episodes.ts'
import { HEIGHT, WIDTH } from '../../../bridge/motion/detection-mask.ts'
import { MotionRule } from '../../../bridge/motion/sensitivity-filter.ts'

/** A uniform gray frame with a brighter square of `size` pixels at (x, y). */
function picture(square?: { x: number; y: number; size: number; level?: number }, base = 120): Buffer {
  const gray = Buffer.alloc(WIDTH * HEIGHT, base)
  for (let row = 0; square && row < square.size; row++) {
    gray.fill(
      square.level ?? 200,
      (square.y + row) * WIDTH + square.x,
      (square.y + row) * WIDTH + square.x + square.size,
    )
  }
  return gray
}

/** Returns the detector's results for frames 200 ms apart, after it has learned the empty scene. */
function watch(pictures: readonly Buffer[], settings = DEFAULT_CAMERA_SETTINGS): boolean[] {
  const detector = new MotionDetector()
  const rule = new MotionRule(settings)
  const empty = Array.from({ length: 15 }, () => picture())
  return [...empty, ...pictures].map((gray, i) => rule.judge(detector.push(gray, i * 200)).moving).slice(15)
}

const walk = Array.from({ length: 10 }, (_, i) => picture({ x: 20 + i * 4, y: 40, size: 8 }))

test('an object moving through the frame is motion', () => {
  expect(watch(walk)).toEqual(walk.map(() => true))
})

test('an empty scene is not motion', () => {
  expect(watch(walk.map(() => picture()))).toEqual(walk.map(() => false))
})

test('a light being switched on is not motion', () => {
  expect(watch(walk.map(() => picture(undefined, 220)))).toEqual(walk.map(() => false))
})

test('a clock that the camera draws into its frames is not motion', () => {
  const ticking = walk.map((_, i) => picture({ x: 10, y: 0, size: 5, level: i % 2 ? 255 : 0 }))
  expect(watch(ticking)).toEqual(ticking.map(() => false))
})

test('a stopped object, such as a parked car, becomes background after a few seconds', () => {
  const parked = Array.from({ length: 50 }, () => picture({ x: 60, y: 40, size: 20 }))
  const seen = watch(parked)
  expect(seen[0]).toBe(true)
  expect(seen.slice(25)).toEqual(seen.slice(25).map(() => false))
})

test('movement outside the motion zones does not count', () => {
  const right = [
    [0.5, 0] as [number, number],
    [1, 0] as [number, number],
    [1, 1] as [number, number],
    [0.5, 1] as [number, number],
  ]
  expect(watch(walk, { ...DEFAULT_CAMERA_SETTINGS, zones: [right] })).toEqual(walk.map(() => false))
})

test('sensitivity determines the smallest object that counts as motion', () => {
  const small = walk.map((_, i) => picture({ x: 20 + i * 4, y: 40, size: 4 }))
  const seen = (sensitivity: number) => watch(small, { ...DEFAULT_CAMERA_SETTINGS, sensitivity }).some(Boolean)
  expect([seen(10), seen(90)]).toEqual([false, true])
})

/**
 * Returns the motion episodes in `seconds` of samples, taken every 200 ms. `moving`: the spans with motion, in seconds.
 */
function events(moving: readonly (readonly [number, number])[], seconds: number): Episode[] {
  const found: Episode[] = []
  const episodes = new Episodes({ began: () => undefined, ended: (episode) => void found.push(episode) })
  for (let i = 0; i <= seconds * 5; i++) {
    const is = moving.some(([from, to]) => i / 5 >= from && i / 5 <= to)
    episodes.push({ at: i * 200, moving: is, area: is ? i / 1000 : 0 })
  }
  return found
}

test('motion shorter than three frames is ignored', () => {
  expect(events([[2, 2.2]], 20)).toEqual([])
})

test('motion less than five seconds apart is one event, and motion further apart is two', () => {
  expect(
    events(
      [
        [2, 4],
        [8, 10],
      ],
      30,
    ).map(({ begin, end }) => [begin, end]),
  ).toEqual([[2000, 10_000]])
  expect(
    events(
      [
        [2, 4],
        [10, 12],
      ],
      30,
    ).map(({ begin, end }) => [begin, end]),
  ).toEqual([
    [2000, 4000],
    [10_000, 12_000],
  ])
})

test('the best moment is when the largest part of the frame moved', () => {
  expect(events([[2, 4]], 20)[0]?.best).toBe(4000)
})

test('endless motion is split into one-minute events', () => {
  expect(events([[1, 100]], 140).map(({ begin, end }) => end - begin)).toEqual([60_000, 38_800])
})
