import { clamp, mix, smoothstep } from './math.ts'
import { createMaterial, type Material } from './mesh.ts'

/** Paint and dimensions (meters) of a car. */
export interface CarStyle {
  color: Material
  kind: 'sedan' | 'hatch' | 'suv' | 'van'
  length: number
  width: number
}

/**
 * Side outlines by car kind. `belt` is the top of the lower body. Each point is [position, height in meters]; the
 * position runs from tail (0) to nose (1).
 */
export const CAR_OUTLINES = {
  sedan: {
    belt: [
      [0, 0.72],
      [0.04, 0.93],
      [0.2, 0.98],
      [0.62, 0.95],
      [0.7, 0.92],
      [0.93, 0.76],
      [1, 0.58],
    ],
    roof: [
      [0.1, 0.95],
      [0.27, 1.36],
      [0.42, 1.44],
      [0.54, 1.4],
      [0.74, 0.92],
    ],
  },
  hatch: {
    belt: [
      [0, 0.7],
      [0.03, 0.96],
      [0.2, 1],
      [0.66, 0.97],
      [0.74, 0.94],
      [0.94, 0.78],
      [1, 0.6],
    ],
    roof: [
      [0.015, 0.98],
      [0.1, 1.38],
      [0.35, 1.5],
      [0.56, 1.45],
      [0.78, 0.94],
    ],
  },
  suv: {
    belt: [
      [0, 0.78],
      [0.02, 1.06],
      [0.2, 1.1],
      [0.66, 1.08],
      [0.72, 1.06],
      [0.95, 0.94],
      [1, 0.68],
    ],
    roof: [
      [0.01, 1.08],
      [0.06, 1.6],
      [0.3, 1.72],
      [0.55, 1.67],
      [0.74, 1.06],
    ],
  },
  van: {
    belt: [
      [0, 0.8],
      [0.015, 1.15],
      [0.3, 1.18],
      [0.82, 1.16],
      [0.86, 1.12],
      [0.97, 0.98],
      [1, 0.66],
    ],
    roof: [
      [0.004, 1.15],
      [0.02, 2.2],
      [0.4, 2.3],
      [0.72, 2.25],
      [0.93, 1.1],
    ],
  },
} as const

/** Returns the height of an outline at position `u`, from tail (0) to nose (1). */
export const getOutlineHeight = (
  pts: readonly (readonly [number, number])[] | readonly (readonly number[])[],
  u: number,
): number => {
  const p = pts as readonly (readonly number[])[]
  for (let i = 1; i < p.length; i++) {
    if (u <= p[i]![0]!) {
      const t = clamp((u - p[i - 1]![0]!) / (p[i]![0]! - p[i - 1]![0]!))
      return mix(p[i - 1]![1]!, p[i]![1]!, smoothstep(0, 1, t) * 0.4 + t * 0.6)
    }
  }
  return p[p.length - 1]![1]!
}

export const redHatch: CarStyle = {
  color: createMaterial(0.42, 0.022, 0.022, { gloss: 0.42, ir: 0.42 }),
  kind: 'hatch',
  length: 4.1,
  width: 1.78,
}
export const blueSedan: CarStyle = {
  color: createMaterial(0.03, 0.09, 0.26, { gloss: 0.45, ir: 0.32 }),
  kind: 'sedan',
  length: 4.6,
  width: 1.82,
}
export const silverSuv: CarStyle = {
  color: createMaterial(0.42, 0.44, 0.46, { gloss: 0.45 }),
  kind: 'suv',
  length: 4.65,
  width: 1.9,
}
export const whiteVan: CarStyle = {
  color: createMaterial(0.68, 0.68, 0.66, { gloss: 0.3 }),
  kind: 'van',
  length: 5.3,
  width: 2,
}
export const greenHatch: CarStyle = {
  color: createMaterial(0.05, 0.2, 0.15, { gloss: 0.42, ir: 0.3 }),
  kind: 'hatch',
  length: 3.9,
  width: 1.74,
}
export const yellowSedan: CarStyle = {
  color: createMaterial(0.75, 0.48, 0.04, { gloss: 0.4, ir: 0.6 }),
  kind: 'sedan',
  length: 4.4,
  width: 1.8,
}
