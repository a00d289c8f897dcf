import type { CameraSettings } from '../../contract/cameras/camera-settings.ts'
import { HEIGHT, createZoneMask, WIDTH } from './detection-mask.ts'

/** Pixels of the small picture. */
export const PIXELS = WIDTH * HEIGHT
/** Dark pictures have less contrast: below this mean brightness smaller differences count, down to the part below. */
const BRIGHT = 130
const DARK_PART = 0.4
/** Set in a tier whose pixel stands still: it counts as a neighbour only. */
export const STILL = 128

/** What differs in one picture from the background, before zones and sensitivity are asked. */
export interface MotionSample {
  /** ms UTC. */
  readonly at: number
  /** Mean brightness, 0 to 255, a whole number. */
  readonly brightness: number
  /** The background is being learnt: nothing counts. */
  readonly learning: boolean
  /** Pixels that differ at some sensitivity, in order. */
  readonly pixels: Uint16Array
  /** For each of them the lowest sensitivity, 0 to 100, that sees it; with `STILL` where nothing moves any more. */
  readonly tiers: Uint8Array
}

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

/** The part of the thresholds that counts at this mean brightness. */
export const darkPart = (brightness: number): number => Math.min(1, Math.max(DARK_PART, brightness / BRIGHT))

/** What an owner's zones and sensitivity make of looks: of the present one, or again of those of the last hour. */
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

  /** A pixel counts when one beside it differs too, so that grain does not. */
  private hasNeighbor(pixel: number): boolean {
    const { marked } = this
    const across = (marked[pixel - 1] ?? 0) + (marked[pixel + 1] ?? 0)
    return across + (marked[pixel - WIDTH] ?? 0) + (marked[pixel + WIDTH] ?? 0) > 0
  }
}
