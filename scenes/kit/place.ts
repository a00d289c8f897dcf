import type { Tag } from '../manifest.ts'
import type { Camera } from './camera.ts'
import type { LightSetup } from './light.ts'
import type { V3 } from './math.ts'
import type { Mesh } from './mesh.ts'
import type { Shot } from './shot.ts'

/** A small story. `draw` adds what is there at `t` seconds; nothing may be there at 0 and at the end. */
export interface Action {
  id: string
  label: string
  summary: string
  seconds: 20 | 40
  /** Most telling second. */
  best: number
  tags: Tag[]
  people?: string[]
  sounds?: string[]
  draw: (s: Shot, t: number) => void
}

/** One virtual camera. */
export interface Place {
  id: string
  name: string
  renditions: string[]
  outdoor: boolean
  camera: Camera
  /** Middle and reach (metres) of what may cast shadows. */
  centre: V3
  radius: number
  build: () => Mesh
  day: LightSetup
  night: LightSetup
  wind: number
  skyShare: number | ((p: V3) => number)
  /** Daylight with the big door open. */
  openDay?: LightSetup
  /** Always there, in every segment; must repeat every 20 s. */
  always?: (s: Shot, t: number) => void
  /** Life in the quiet 40 s. */
  quiet: (s: Shot, t: number) => void
  dayActions: Action[]
  nightActions: Action[]
}
