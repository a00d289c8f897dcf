import type { Light, SeenMoment, Tag } from '../manifest.ts'
import type { Camera } from './camera.ts'
import { dusk } from './dusk.ts'
import type { Lamp, LightSetup } from './light.ts'
import type { V3 } from './math.ts'
import type { Mesh } from './mesh.ts'
import type { Shot } from './shot.ts'
import type { Soundscape } from './sound/track.ts'

/** A small story. `draw` adds what is there at `t` seconds; nothing may be there at 0 and at the end. */
export interface Action {
  id: string
  label: string
  summary: string
  seconds: 20 | 40
  /** Most telling second. */
  best: number
  tags: Tag[]
  /** Names of people that the camera recognizes, or `face:` and an identifier for those whom nobody has named. */
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
  /** The second lens of a dual camera. */
  inset?: Camera
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
  /** What is seen when, by light and action (`day/cat`). */
  moments: Readonly<Record<string, readonly SeenMoment[]>>
  /** Those of the day that also happen at dusk. */
  duskActions: string[]
  /** What the microphone hears; a camera without one has none. */
  sound?: Soundscape
  /** Lamps that somebody turns on at dusk. */
  duskLamps?: Lamp[]
}

export function listActions(place: Place, light: Light): Action[] {
  if (light === 'night') return place.nightActions
  return light === 'day' ? place.dayActions : place.dayActions.filter(({ id }) => place.duskActions.includes(id))
}

/** The light itself; with `open` that of the open door, where there is one. */
export function getLightSetup(place: Place, light: Light, open = false): LightSetup | undefined {
  const day = open ? place.openDay : place.day
  if (light === 'night') return open ? undefined : place.night
  return light === 'dusk' ? day && dusk(day, place.night, place.duskLamps) : day
}
