import { expect, test } from 'vitest'
import { DEFAULT_CAMERA_SETTINGS } from '../../../contract/cameras/camera-settings.ts'
import { MotionDetector } from '../../../bridge/motion/motion-detector.ts'
import { EpisodeDetector, type Episode } from '../../../bridge/motion/motion-episodes.ts'
import { GRAY_HEIGHT, GRAY_WIDTH } from '../../../bridge/motion/detection-mask.ts'
import { SensitivityFilter } from '../../../bridge/motion/sensitivity-filter.ts'

/** Returns a uniform gray frame, with a square of `size` × `size` pixels at (x, y) if given. */
function createGrayFrame(square?: { x: number; y: number; size: number; level?: number }, base = 120): Buffer {
  const gray = Buffer.alloc(GRAY_WIDTH * GRAY_HEIGHT, base)
  for (let row = 0; square && row < square.size; row++) {
    gray.fill(
      square.level ?? 200,
      (square.y + row) * GRAY_WIDTH + square.x,
      (square.y + row) * GRAY_WIDTH + square.x + square.size,
    )
  }
  return gray
}

/**
 * Returns one value per frame: true if the frame has motion. Frames are 200 ms apart. Before them, the detector gets 15
 * frames of the empty scene.
 */
function detectMotion(pictures: readonly Buffer[], settings = DEFAULT_CAMERA_SETTINGS): boolean[] {
  const detector = new MotionDetector()
  const rule = new SensitivityFilter(settings)
  const empty = Array.from({ length: 15 }, () => createGrayFrame())
  return [...empty, ...pictures].map((gray, i) => rule.evaluate(detector.push(gray, i * 200)).moving).slice(15)
}

const walkingFrames = Array.from({ length: 10 }, (_, i) => createGrayFrame({ x: 20 + i * 4, y: 40, size: 8 }))

test('an object moving through the frame is motion', () => {
  expect(detectMotion(walkingFrames)).toEqual(walkingFrames.map(() => true))
})

test('an empty scene is not motion', () => {
  expect(detectMotion(walkingFrames.map(() => createGrayFrame()))).toEqual(walkingFrames.map(() => false))
})

test('a light being switched on is not motion', () => {
  expect(detectMotion(walkingFrames.map(() => createGrayFrame(undefined, 220)))).toEqual(walkingFrames.map(() => false))
})

test('a clock that the camera draws into its frames is not motion', () => {
  const clockFrames = walkingFrames.map((_, i) => createGrayFrame({ x: 10, y: 0, size: 5, level: i % 2 ? 255 : 0 }))
  expect(detectMotion(clockFrames)).toEqual(clockFrames.map(() => false))
})

test('a stopped object, such as a parked car, becomes background after a few seconds', () => {
  const parked = Array.from({ length: 50 }, () => createGrayFrame({ x: 60, y: 40, size: 20 }))
  const seen = detectMotion(parked)
  expect(seen[0]).toBe(true)
  expect(seen.slice(25)).toEqual(seen.slice(25).map(() => false))
})

test('movement outside the motion zones does not count', () => {
  const rightHalf = [
    [0.5, 0] as [number, number],
    [1, 0] as [number, number],
    [1, 1] as [number, number],
    [0.5, 1] as [number, number],
  ]
  expect(detectMotion(walkingFrames, { ...DEFAULT_CAMERA_SETTINGS, zones: [rightHalf] })).toEqual(
    walkingFrames.map(() => false),
  )
})

test('sensitivity determines the smallest object that counts as motion', () => {
  const small = walkingFrames.map((_, i) => createGrayFrame({ x: 20 + i * 4, y: 40, size: 4 }))
  const seen = (sensitivity: number) => detectMotion(small, { ...DEFAULT_CAMERA_SETTINGS, sensitivity }).some(Boolean)
  expect([seen(10), seen(90)]).toEqual([false, true])
})

/** Returns the motion episodes in `seconds` of samples, one per 200 ms. `moving`: spans with motion, in seconds. */
function findEpisodes(moving: readonly (readonly [number, number])[], seconds: number): Episode[] {
  const found: Episode[] = []
  const episodes = new EpisodeDetector({ onBegin: () => undefined, onEnd: (episode) => void found.push(episode) })
  for (let i = 0; i <= seconds * 5; i++) {
    const isMoving = moving.some(([from, to]) => i / 5 >= from && i / 5 <= to)
    episodes.push({ at: i * 200, moving: isMoving, area: isMoving ? i / 1000 : 0 })
  }
  return found
}

test('motion shorter than three frames is ignored', () => {
  expect(findEpisodes([[2, 2.2]], 20)).toEqual([])
})

test('motion less than five seconds apart is one event, and motion further apart is two', () => {
  expect(
    findEpisodes(
      [
        [2, 4],
        [8, 10],
      ],
      30,
    ).map(({ begin, end }) => [begin, end]),
  ).toEqual([[2000, 10_000]])
  expect(
    findEpisodes(
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
  expect(findEpisodes([[2, 4]], 20)[0]?.best).toBe(4000)
})

test('endless motion is split into one-minute events', () => {
  expect(findEpisodes([[1, 100]], 140).map(({ begin, end }) => end - begin)).toEqual([60_000, 38_800])
})
