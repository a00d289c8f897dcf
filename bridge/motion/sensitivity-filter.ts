import type { CameraSettings } from '../../contract/cameras/camera-settings.ts'
import { GRAY_HEIGHT, createZoneMask, GRAY_WIDTH } from './detection-mask.ts'

export const PIXEL_COUNT = GRAY_WIDTH * GRAY_HEIGHT
/**
 * Mean brightness from which the full thresholds apply. Below it, they shrink in proportion, down to
 * MIN_DARKNESS_FACTOR, because dark frames have less contrast.
 */
const FULL_BRIGHTNESS = 130
const MIN_DARKNESS_FACTOR = 0.4
/** Flag in a value of `tiers`: the pixel no longer moves. It still counts as a neighbor of moving pixels. */
export const STILL_FLAG = 128

/** Differences of one frame from the background, before zones and sensitivity apply. */
export interface MotionSample {
  /** Time of the frame, ms UTC. */
  readonly at: number
  /** Mean brightness, an integer from 0 to 255. */
  readonly brightness: number
  readonly learning: boolean
  /** Indices of the pixels that count as changed at the highest sensitivity (100), in ascending order. */
  readonly pixels: Uint16Array
  /** Lowest sensitivity, 0 to 100, at which each entry of `pixels` counts as changed; combined with `STILL_FLAG`. */
  readonly tiers: Uint8Array
}

export interface Motion {
  /** Fraction of the frame that moves, 0 to 1. */
  readonly area: number
  readonly moving: boolean
}

/** Returns the minimum gray level difference and area fraction for a sensitivity of 0 to 100. */
export function getThresholds(sensitivity: number): { level: number; area: number } {
  const away = (50 - sensitivity) / 50
  return { level: 22 * 1.8 ** away, area: 0.0015 * 8 ** away }
}

/** Returns the factor, at most 1, by which the thresholds are multiplied at this mean brightness. */
export const getDarknessFactor = (brightness: number): number =>
  Math.min(1, Math.max(MIN_DARKNESS_FACTOR, brightness / FULL_BRIGHTNESS))

/** Applies an owner's zones and sensitivity to motion samples, live or stored. */
export class SensitivityFilter {
  readonly #mask: Uint8Array
  readonly #sensitivity: number
  readonly #minArea: number
  readonly #markedPixels = new Uint8Array(PIXEL_COUNT)

  constructor({ zones, sensitivity }: Pick<CameraSettings, 'zones' | 'sensitivity'>) {
    this.#mask = createZoneMask(zones)
    this.#sensitivity = sensitivity
    this.#minArea = getThresholds(sensitivity).area
  }

  evaluate({ brightness, learning, pixels, tiers }: MotionSample): Motion {
    for (let i = 0; i < pixels.length; i++) {
      const pixel = pixels[i] ?? 0
      const isCounted = ((tiers[i] ?? 0) & ~STILL_FLAG) <= this.#sensitivity && this.#mask[pixel] === 1
      this.#markedPixels[pixel] = isCounted ? 1 : 0
    }
    let movingCount = 0
    for (let i = 0; i < pixels.length; i++) {
      const pixel = pixels[i] ?? 0
      if (this.#markedPixels[pixel] === 1 && ((tiers[i] ?? 0) & STILL_FLAG) === 0 && this.#hasNeighbor(pixel))
        movingCount++
    }
    for (const pixel of pixels) this.#markedPixels[pixel] = 0
    const minArea = movingCount / PIXEL_COUNT
    return { area: minArea, moving: !learning && minArea > this.#minArea * getDarknessFactor(brightness) }
  }

  /**
   * Returns true if a pixel above, below, left or right also counts as changed. An isolated changed pixel is image
   * noise.
   */
  #hasNeighbor(pixel: number): boolean {
    const marked = this.#markedPixels
    const across = (marked[pixel - 1] ?? 0) + (marked[pixel + 1] ?? 0)
    return across + (marked[pixel - GRAY_WIDTH] ?? 0) + (marked[pixel + GRAY_WIDTH] ?? 0) > 0
  }
}
