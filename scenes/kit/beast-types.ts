import type { Vec3 } from './math.ts'
import type { Material } from './mesh.ts'

export interface AnimalPose {
  at: Vec3
  heading: number
  walked?: number
  /** 0 standing .. 1 trotting; 2 = bounding. */
  gait?: number
  look?: number
  nod?: number
  wag?: number
  mouth?: number
  /** `sit`: 0 standing .. 1 sitting. `lie`: 0 standing .. 1 lying. */
  sit?: number
  lie?: number
  /** Tilt of the whole body during a jump, radians. */
  pitch?: number
  t?: number
}

export interface AnimalSpecies {
  size: number
  leg: number
  thick: number
  neck: number
  muzzle: number
  ears: 'floppy' | 'pointed'
  coat: Material
  belly: Material
  socks: Material
  face: Material
  nose: Material
  tail: { len: number; r: number; tip: Material; up: number }
  eye: Material
}
