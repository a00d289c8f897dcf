import { MASK_WITHOUT_ZONES } from './detection-mask.ts'
import { getDarknessFactor, PIXEL_COUNT, STILL_FLAG, getThresholds, type MotionSample } from './sensitivity-filter.ts'

/** Frame count up to which frames only train the background model, and report no motion. */
const LEARNING_FRAMES = 10
/** Time constant of the background model, ms: after this time, 63 % of a change is absorbed. */
const BACKGROUND_TIME_CONSTANT_MS = 10_000
/** Time after which the background model quickly absorbs a change that no longer moves, such as a parked car, ms. */
const STILL_AFTER_MS = 3000
const ABSORB_TIME_CONSTANT_MS = 700
/** A pixel that changes by fewer gray levels from frame to frame counts as unmoving. */
const MAX_STILL_DIFFERENCE = 10
/**
 * Maximum fraction of changed pixels. A larger change comes from a lamp or the camera's night mode, so the background
 * model restarts.
 */
const MAX_CHANGED_FRACTION = 0.6
/**
 * Multiple of a pixel's usual difference that the detector subtracts, to ignore noise such as moving leaves or water.
 */
const NOISE_WEIGHT = 1.5
const NOISE_TIME_CONSTANT_MS = 20_000
/**
 * LEVEL_BY_SENSITIVITY: gray level difference that counts as a change, per sensitivity from 0 to 100. FOREGROUND_LEVEL:
 * difference that marks a pixel as foreground, at any sensitivity.
 */
const LEVEL_BY_SENSITIVITY = Float64Array.from({ length: 101 }, (_, sensitivity) => getThresholds(sensitivity).level)
const LOWEST_LEVEL = LEVEL_BY_SENSITIVITY[100] ?? 0
const FOREGROUND_LEVEL = LEVEL_BY_SENSITIVITY[50] ?? 0
const COUNTED_PIXELS_TOTAL = MASK_WITHOUT_ZONES.reduce((sum, pixel) => sum + pixel, 0)

/**
 * Compares gray 160x90 frames with a running average of the background. The caller passes the time of each frame in ms.
 * `SensitivityFilter` applies zones and sensitivity later, so that new settings can reuse the samples.
 */
export class MotionDetector {
  readonly #background = new Float32Array(PIXEL_COUNT)
  readonly #previous = new Uint8Array(PIXEL_COUNT)
  readonly #stillMs = new Float32Array(PIXEL_COUNT)
  readonly #noiseLevels = new Float32Array(PIXEL_COUNT)
  readonly #foreground = new Uint8Array(PIXEL_COUNT)
  readonly #changedPixels = new Uint16Array(PIXEL_COUNT)
  readonly #tiers = new Uint8Array(PIXEL_COUNT)
  #frameCount = 0
  #lastFrameAt = 0

  /** Discards the background model. Called after an interruption, because the camera may show another view. */
  reset(): void {
    this.#frameCount = 0
  }

  push(grayFrame: Uint8Array, at: number): MotionSample {
    if (this.#frameCount === 0) this.#initializeBackground(grayFrame)
    const elapsedMs = Math.min(2000, Math.max(1, at - this.#lastFrameAt))
    this.#lastFrameAt = at
    this.#frameCount++
    const { offset, mean } = this.#measureBrightness(grayFrame)
    const brightness = Math.round(mean)
    const { count, changed } = this.#compareWithBackground(grayFrame, offset, getDarknessFactor(brightness))
    if (changed > MAX_CHANGED_FRACTION * COUNTED_PIXELS_TOTAL) {
      this.#initializeBackground(grayFrame)
      return { at, brightness, learning: true, pixels: new Uint16Array(), tiers: new Uint8Array() }
    }
    this.#updateBackground(
      grayFrame,
      this.#frameCount <= LEARNING_FRAMES ? 1000 : BACKGROUND_TIME_CONSTANT_MS,
      elapsedMs,
    )
    const learning = this.#frameCount <= LEARNING_FRAMES
    return { at, brightness, learning, pixels: this.#changedPixels.slice(0, count), tiers: this.#tiers.slice(0, count) }
  }

  #initializeBackground(grayFrame: Uint8Array): void {
    this.#background.set(grayFrame)
    this.#previous.set(grayFrame)
    this.#stillMs.fill(0)
    this.#noiseLevels.fill(0)
    this.#frameCount = 1
  }

  /**
   * Measures the overall brightness change (`offset`) and the mean brightness (`mean`). Clamps large differences,
   * because moving objects cause them, not the light.
   */
  #measureBrightness(grayFrame: Uint8Array): { offset: number; mean: number } {
    let sum = 0
    let total = 0
    for (let i = 0; i < PIXEL_COUNT; i++) {
      const value = grayFrame[i] ?? 0
      const difference = value - (this.#background[i] ?? 0)
      sum += difference > 12 ? 12 : difference < -12 ? -12 : difference
      total += value
    }
    return { offset: sum / PIXEL_COUNT, mean: total / PIXEL_COUNT }
  }

  /**
   * Collects the pixels that count as changed at the highest sensitivity, and marks pixels above `FOREGROUND_LEVEL` as
   * foreground.
   */
  #compareWithBackground(
    grayFrame: Uint8Array,
    offset: number,
    darknessFactor: number,
  ): { count: number; changed: number } {
    let count = 0
    let changed = 0
    for (let i = 0; i < PIXEL_COUNT; i++) {
      const difference = Math.abs((grayFrame[i] ?? 0) - (this.#background[i] ?? 0) - offset)
      const strength = (difference - NOISE_WEIGHT * (this.#noiseLevels[i] ?? 0)) / darknessFactor
      const differs = MASK_WITHOUT_ZONES[i] === 1 && strength > LOWEST_LEVEL
      this.#foreground[i] = differs && strength > FOREGROUND_LEVEL ? 1 : 0
      if (!differs) continue
      if (strength > FOREGROUND_LEVEL) changed++
      this.#changedPixels[count] = i
      this.#tiers[count++] =
        findLowestSensitivity(strength) | ((this.#stillMs[i] ?? 0) > STILL_AFTER_MS ? STILL_FLAG : 0)
    }
    return { count, changed }
  }

  #updateBackground(grayFrame: Uint8Array, timeConstantMs: number, elapsedMs: number): void {
    const followRate = 1 - Math.exp(-elapsedMs / timeConstantMs)
    const absorbRate = 1 - Math.exp(-elapsedMs / ABSORB_TIME_CONSTANT_MS)
    const noiseRate = 1 - Math.exp(-elapsedMs / NOISE_TIME_CONSTANT_MS)
    for (let i = 0; i < PIXEL_COUNT; i++) {
      const value = grayFrame[i] ?? 0
      const isStill = Math.abs(value - (this.#previous[i] ?? 0)) < MAX_STILL_DIFFERENCE
      this.#stillMs[i] = isStill ? (this.#stillMs[i] ?? 0) + elapsedMs : 0
      const difference = value - (this.#background[i] ?? 0)
      const rate = (this.#stillMs[i] ?? 0) > STILL_AFTER_MS ? absorbRate : followRate
      this.#background[i] = (this.#background[i] ?? 0) + difference * rate
      if (this.#foreground[i] === 0) {
        this.#noiseLevels[i] =
          (this.#noiseLevels[i] ?? 0) + (Math.abs(difference) - (this.#noiseLevels[i] ?? 0)) * noiseRate
      }
      this.#previous[i] = value
    }
  }
}

function findLowestSensitivity(strength: number): number {
  let [low, high] = [0, 100]
  while (low < high) {
    const middle = (low + high) >> 1
    if (strength > (LEVEL_BY_SENSITIVITY[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return low
}
