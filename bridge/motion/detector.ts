import type { CameraSettings } from '../../contract/bridge.ts'
import { HEIGHT, maskOf, WIDTH } from './mask.ts'

const PIXELS = WIDTH * HEIGHT
/** Pictures after the first that only teach what the background looks like. */
const LEARNING = 10
/** How fast the background follows, as the time in ms after which 63 % of a change is taken over. */
const FOLLOW_MS = 10_000
/** A change that stands still for this long (a parked car) is background soon. */
const STILL_MS = 3000
const ABSORB_MS = 700
/** A pixel that changes by less from picture to picture stands still. */
const STILL_LEVEL = 10
/** More of the picture than this at once is a lamp or the camera's night switch, not somebody. */
const LIGHT_CHANGE = 0.6
/** Dark pictures have less contrast: below this mean brightness smaller differences count, down to the part below. */
const BRIGHT = 130
const DARK_PART = 0.4
/** Pixels that flicker all the time (leaves, water) must differ by this much more than they are used to. */
const NOISE_WEIGHT = 1.5
const NOISE_MS = 20_000

export interface Motion {
  /** Part of the picture that moves, 0 to 1. */
  readonly area: number
  readonly moving: boolean
}

/** Level and area for a sensitivity of 0 to 100; 50 is 22 grey levels over 0.15 % of the picture. */
export function thresholds(sensitivity: number): { level: number; area: number } {
  const away = (50 - sensitivity) / 50
  return { level: 22 * 1.8 ** away, area: 0.0015 * 8 ** away }
}

/**
 * Compares grey pictures of 160x90 with a running average of what was there before. Knows no clock: each picture comes
 * with its time in ms.
 */
export class MotionDetector {
  private readonly background = new Float32Array(PIXELS)
  private readonly previous = new Uint8Array(PIXELS)
  private readonly still = new Float32Array(PIXELS)
  private readonly noise = new Float32Array(PIXELS)
  private readonly foreground = new Uint8Array(PIXELS)
  private mask = maskOf([])
  private counted = this.mask.reduce((sum, one) => sum + one, 0)
  private limits = thresholds(50)
  private seen = 0
  private last = 0

  configure(settings: CameraSettings): void {
    this.mask = maskOf(settings.zones)
    this.counted = Math.max(
      1,
      this.mask.reduce((sum, one) => sum + one, 0),
    )
    this.limits = thresholds(settings.sensitivity)
  }

  /** Forgets the background: the camera was away, or shows another picture. */
  reset(): void {
    this.seen = 0
  }

  push(grey: Uint8Array, at: number): Motion {
    if (this.seen === 0) this.begin(grey)
    const elapsed = Math.min(2000, Math.max(1, at - this.last))
    this.last = at
    this.seen++
    const { offset, mean } = this.brightness(grey)
    const dark = Math.min(1, Math.max(DARK_PART, mean / BRIGHT))
    const { moving, changed } = this.compare(grey, offset, this.limits.level * dark)
    if (changed > LIGHT_CHANGE * this.counted) {
      this.begin(grey)
      return { area: 0, moving: false }
    }
    this.learn(grey, this.seen <= LEARNING ? 1000 : FOLLOW_MS, elapsed)
    const area = moving / PIXELS
    return { area, moving: this.seen > LEARNING && area > this.limits.area * dark }
  }

  private begin(grey: Uint8Array): void {
    this.background.set(grey)
    this.previous.set(grey)
    this.still.fill(0)
    this.noise.fill(0)
    this.seen = 1
  }

  /** `offset`: how much brighter the whole has become; large differences belong to things, not to the light. */
  private brightness(grey: Uint8Array): { offset: number; mean: number } {
    let sum = 0
    let total = 0
    for (let i = 0; i < PIXELS; i++) {
      const value = grey[i] ?? 0
      const difference = value - (this.background[i] ?? 0)
      sum += difference > 12 ? 12 : difference < -12 ? -12 : difference
      total += value
    }
    return { offset: sum / PIXELS, mean: total / PIXELS }
  }

  /** Marks what differs; a pixel counts when one beside it differs too, so that grain does not. */
  private compare(grey: Uint8Array, offset: number, level: number): { moving: number; changed: number } {
    let changed = 0
    for (let i = 0; i < PIXELS; i++) {
      const difference = Math.abs((grey[i] ?? 0) - (this.background[i] ?? 0) - offset)
      const differs = this.mask[i] === 1 && difference > level + NOISE_WEIGHT * (this.noise[i] ?? 0)
      this.foreground[i] = differs ? 1 : 0
      if (differs) changed++
    }
    let moving = 0
    for (let i = WIDTH; i < PIXELS - WIDTH; i++) {
      if (this.foreground[i] === 0 || (this.still[i] ?? 0) > STILL_MS) continue
      const beside =
        (this.foreground[i - 1] ?? 0) +
        (this.foreground[i + 1] ?? 0) +
        (this.foreground[i - WIDTH] ?? 0) +
        (this.foreground[i + WIDTH] ?? 0)
      if (beside > 0) moving++
    }
    return { moving, changed }
  }

  private learn(grey: Uint8Array, followMs: number, elapsed: number): void {
    const follow = 1 - Math.exp(-elapsed / followMs)
    const absorb = 1 - Math.exp(-elapsed / ABSORB_MS)
    const noisy = 1 - Math.exp(-elapsed / NOISE_MS)
    for (let i = 0; i < PIXELS; i++) {
      const value = grey[i] ?? 0
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
