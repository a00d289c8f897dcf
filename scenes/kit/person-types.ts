import type { V3 } from './math.ts'
import type { Material } from './mesh.ts'

export interface Look {
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
export interface Pose {
  at: V3
  heading: number
  /** Meters walked so far, so that feet stay planted. */
  walked?: number
  /** 0 standing .. 1 full stride. */
  stride?: number
  lean?: number
  crouch?: number
  look?: number
  nod?: number
  hands?: [V3 | null, V3 | null] | undefined
  /** Explicit foot positions (cycling). */
  feet?: [V3, V3]
  seat?: number
  /** Seconds, for breathing. */
  t?: number
}
