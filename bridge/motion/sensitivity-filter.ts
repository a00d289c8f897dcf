import type { CameraSettings } from '../../contract/cameras/camera-settings.ts'
import { HEIGHT, createZoneMask, WIDTH } from './detection-mask.ts'

export const PIXELS = WIDTH * HEIGHT
/**
 * Dark frames have less contrast. Below this mean brightness, the thresholds shrink in proportion, down to the fraction
 * DARK_PART.
 */
const BRIGHT = 130
const DARK_PART = 0.4
/** Flag in a value of `tiers`: the pixel no longer moves and counts only as a neighbor of other pixels. */
export const STILL = 128

/** Differences of one frame from the background, before zones and sensitivity apply. */
export interface MotionSample {
  /** ms UTC. */
  readonly at: number
  /** Mean brightness, an integer from 0 to 255. */
  readonly brightness: number
  readonly learning: boolean
  /** Pixels that differ at any sensitivity, in ascending order. */
  readonly pixels: Uint16Array
  /**
   * Lowest sensitivity, 0 to 100, at which each pixel counts as changed. The flag `STILL` marks a pixel that no longer
   * moves.
   */
  readonly tiers: Uint8Array
}

export interface Motion {
  /** Fraction of the frame that moves, 0 to 1. */
  readonly area: number
  readonly moving: boolean
}

/** Returns level and area for a sensitivity of 0 to 100; 50 means 22 gray levels over 0.15 % of the frame. */
export function thresholds(sensitivity: number): { level: number; area: number } {
  const away = (50 - sensitivity) / 50
  return { level: 22 * 1.8 ** away, area: 0.0015 * 8 ** away }
}

/** Returns the factor, at most 1, by which the thresholds shrink at this mean brightness. */
export const darkPart = (brightness: number): number => Math.min(1, Math.max(DARK_PART, brightness / BRIGHT))

/** Applies an owner's zones and sensitivity to motion samples, live or from the last hour. */
export class MotionRule {
  private readonly mask: Uint8Array
  private readonly sensitivity: number
  private readonly area: number
  private readonly marked = new Uint8Array(PIXELS)

  constructor({ zones, sensitivity }: Pick<CameraSettings, 'zones' | 'sensitivity'>) {
    this.mask = createZoneMask(zones)
    this.sensitivity = sensitivity
    this.area = thresholds(sensitivity).area
  }

  judge({ brightness, learning, pixels, tiers }: MotionSample): Motion {
    for (let i = 0; i < pixels.length; i++) {
      const pixel = pixels[i] ?? 0
      const seen = ((tiers[i] ?? 0) & ~STILL) <= this.sensitivity && this.mask[pixel] === 1
      this.marked[pixel] = seen ? 1 : 0
    }
    let moving = 0
    for (let i = 0; i < pixels.length; i++) {
      const pixel = pixels[i] ?? 0
      if (this.marked[pixel] === 1 && ((tiers[i] ?? 0) & STILL) === 0 && this.hasNeighbor(pixel)) moving++
    }
    for (const pixel of pixels) this.marked[pixel] = 0
    const area = moving / PIXELS
    return { area, moving: !learning && area > this.area * darkPart(brightness) }
  }

  /** A pixel counts only if an adjacent pixel differs too; this filters out grain. */
  private hasNeighbor(pixel: number): boolean {
    const { marked } = this
    const across = (marked[pixel - 1] ?? 0) + (marked[pixel + 1] ?? 0)
    return across + (marked[pixel - WIDTH] ?? 0) + (marked[pixel + WIDTH] ?? 0) > 0
  }
}
