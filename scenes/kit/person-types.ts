import type { Vec3 } from './math.ts'
import type { Material } from './mesh.ts'

export interface PersonLook {
  height: number
  build: number
  skin: Material
  hair: Material
  style: 'short' | 'bob' | 'long' | 'bun' | 'cap' | 'helmet'
  top: Material
  sleeve: Material
  trousers: Material
  shoes: Material
  cap?: Material
  skirt?: boolean
  beard?: boolean
  stripe?: Material
  trim?: Material
  glasses?: boolean
}

/** Position and posture of a person. Hands are local points (x right, y ahead, z up). */
export interface PersonPose {
  at: Vec3
  heading: number
  /** Meters walked so far; sets the phase of the step, so that feet do not slide. */
  walked?: number
  /** 0 standing .. 1 full stride. */
  stride?: number
  lean?: number
  crouch?: number
  look?: number
  nod?: number
  hands?: [Vec3 | null, Vec3 | null] | undefined
  /** Foot positions that replace the computed ones, for example on a bicycle. */
  feet?: [Vec3, Vec3]
  seat?: number
  /** Seconds, for breathing. */
  t?: number
}
