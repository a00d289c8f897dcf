import { CLOCK_FREE } from './detection-mask.ts'
import { darkPart, PIXELS, STILL, thresholds, type MotionSample } from './sensitivity-filter.ts'

/** Frames after the first that only train the background model. */
const LEARNING = 10
/** Time constant of the background, ms: 63 % of a change is absorbed after it. */
const FOLLOW_MS = 10_000
/** Time after which an unmoving change (a parked car) starts to become background, ms. */
const STILL_MS = 3000
const ABSORB_MS = 700
/** A pixel that changes by fewer gray levels from frame to frame counts as unmoving. */
const STILL_LEVEL = 10
/**
 * Maximum fraction of changed pixels: a larger change comes from a lamp or the camera's night switch, not from a
 * person.
 */
const LIGHT_CHANGE = 0.6
/** Constantly flickering pixels (leaves, water) must exceed their usual difference by this factor. */
const NOISE_WEIGHT = 1.5
const NOISE_MS = 20_000
/**
 * LEVELS: gray level difference that counts as a change, for each sensitivity from 0 to 100. COMMON: level at which the
 * background is learned, independent of owner settings.
 */
const LEVELS = Float64Array.from({ length: 101 }, (_, sensitivity) => thresholds(sensitivity).level)
const LEAST = LEVELS[100] ?? 0
const COMMON = LEVELS[50] ?? 0
const COUNTED = CLOCK_FREE.reduce((sum, pixel) => sum + pixel, 0)

/**
 * Compares gray 160x90 frames with a running average of the background. Has no clock: each frame comes with its time in
 * ms. Ignores zones and sensitivity (see `MotionRule`), so that samples can be judged again with other settings.
 */
export class MotionDetector {
  private readonly background = new Float32Array(PIXELS)
  private readonly previous = new Uint8Array(PIXELS)
  private readonly still = new Float32Array(PIXELS)
  private readonly noise = new Float32Array(PIXELS)
  private readonly foreground = new Uint8Array(PIXELS)
  private readonly pixels = new Uint16Array(PIXELS)
  private readonly tiers = new Uint8Array(PIXELS)
  private seen = 0
  private last = 0

  /** Discards the background: the camera was away, or shows another view. */
  reset(): void {
    this.seen = 0
  }

  push(grayFrame: Uint8Array, at: number): MotionSample {
    if (this.seen === 0) this.initializeBackground(grayFrame)
    const elapsed = Math.min(2000, Math.max(1, at - this.last))
    this.last = at
    this.seen++
    const { offset, mean } = this.brightness(grayFrame)
    const brightness = Math.round(mean)
    const { count, changed } = this.compare(grayFrame, offset, darkPart(brightness))
    if (changed > LIGHT_CHANGE * COUNTED) {
      this.initializeBackground(grayFrame)
      return { at, brightness, learning: true, pixels: new Uint16Array(), tiers: new Uint8Array() }
    }
    this.learn(grayFrame, this.seen <= LEARNING ? 1000 : FOLLOW_MS, elapsed)
    const learning = this.seen <= LEARNING
    return { at, brightness, learning, pixels: this.pixels.slice(0, count), tiers: this.tiers.slice(0, count) }
  }

  private initializeBackground(grayFrame: Uint8Array): void {
    this.background.set(grayFrame)
    this.previous.set(grayFrame)
    this.still.fill(0)
    this.noise.fill(0)
    this.seen = 1
  }

  /**
   * Measures the overall brightness change (`offset`) and the mean brightness. Clamps large differences, because they
   * come from objects and not from the light.
   */
  private brightness(grayFrame: Uint8Array): { offset: number; mean: number } {
    let sum = 0
    let total = 0
    for (let i = 0; i < PIXELS; i++) {
      const value = grayFrame[i] ?? 0
      const difference = value - (this.background[i] ?? 0)
      sum += difference > 12 ? 12 : difference < -12 ? -12 : difference
      total += value
    }
    return { offset: sum / PIXELS, mean: total / PIXELS }
  }

  /** Collects pixels that differ at any sensitivity, and marks pixels that differ at the common level as foreground. */
  private compare(grayFrame: Uint8Array, offset: number, dark: number): { count: number; changed: number } {
    let count = 0
    let changed = 0
    for (let i = 0; i < PIXELS; i++) {
      const difference = Math.abs((grayFrame[i] ?? 0) - (this.background[i] ?? 0) - offset)
      const strength = (difference - NOISE_WEIGHT * (this.noise[i] ?? 0)) / dark
      const differs = CLOCK_FREE[i] === 1 && strength > LEAST
      this.foreground[i] = differs && strength > COMMON ? 1 : 0
      if (!differs) continue
      if (strength > COMMON) changed++
      this.pixels[count] = i
      this.tiers[count++] = findLowestSensitivity(strength) | ((this.still[i] ?? 0) > STILL_MS ? STILL : 0)
    }
    return { count, changed }
  }

  private learn(grayFrame: Uint8Array, followMs: number, elapsed: number): void {
    const follow = 1 - Math.exp(-elapsed / followMs)
    const absorb = 1 - Math.exp(-elapsed / ABSORB_MS)
    const noisy = 1 - Math.exp(-elapsed / NOISE_MS)
    for (let i = 0; i < PIXELS; i++) {
      const value = grayFrame[i] ?? 0
      const stands = Math.abs(value - (this.previous[i] ?? 0)) < STILL_LEVEL
      this.still[i] = stands ? (this.still[i] ?? 0) + elapsed : 0
      const difference = value - (this.background[i] ?? 0)
      const rate = (this.still[i] ?? 0) > STILL_MS ? absorb : follow
      this.background[i] = (this.background[i] ?? 0) + difference * rate
      if (this.foreground[i] === 0) {
        this.noise[i] = (this.noise[i] ?? 0) + (Math.abs(difference) - (this.noise[i] ?? 0)) * noisy
      }
      this.previous[i] = value
    }
  }
}

function findLowestSensitivity(strength: number): number {
  let [low, high] = [0, 100]
  while (low < high) {
    const middle = (low + high) >> 1
    if (strength > (LEVELS[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return low
}
