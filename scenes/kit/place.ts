import type { Light, SeenMoment, Tag } from '../manifest.ts'
import type { Camera } from './camera.ts'
import { dusk } from './dusk.ts'
import type { Lamp, LightSetup } from './light.ts'
import type { V3 } from './math.ts'
import type { Mesh } from './mesh.ts'
import type { Shot } from './shot.ts'
import type { Soundscape } from './sound/track.ts'

/** Short scripted action. `draw` adds the actors at `t` seconds; no actor may be visible at the start and the end. */
export interface Action {
  id: string
  label: string
  summary: string
  seconds: 20 | 40
  /** Second that shows the action best. */
  best: number
  tags: Tag[]
  /** Names of people that the camera recognizes, or `face:` and an identifier for unnamed people. */
  people?: string[]
  sounds?: string[]
  draw: (s: Shot, t: number) => void
}

export interface Place {
  id: string
  name: string
  renditions: string[]
  outdoor: boolean
  camera: Camera
  /** Second lens of a dual-lens camera. */
  inset?: Camera
  /** Center and radius (meters) of everything that may cast shadows. */
  centre: V3
  radius: number
  build: () => Mesh
  day: LightSetup
  night: LightSetup
  wind: number
  skyShare: number | ((p: V3) => number)
  /** Daylight with the garage door open. */
  openDay?: LightSetup
  /** Draws the movements that every segment contains; they must repeat every 20 s. */
  always?: (s: Shot, t: number) => void
  /** Draws small movements of the quiet segment (40 s). */
  quiet: (s: Shot, t: number) => void
  dayActions: Action[]
  nightActions: Action[]
  /** Captions by time of day and action (`day/cat`). */
  moments: Readonly<Record<string, readonly SeenMoment[]>>
  /** Daytime actions that also happen at dusk. */
  duskActions: string[]
  /** Audio of the microphone; undefined if the camera has none. */
  sound?: Soundscape
  /** Lamps that are switched on at dusk. */
  duskLamps?: Lamp[]
}

export function listActions(place: Place, light: Light): Action[] {
  if (light === 'night') return place.nightActions
  return light === 'day' ? place.dayActions : place.dayActions.filter(({ id }) => place.duskActions.includes(id))
}

/**
 * Returns the lighting of a scene; with `open`, the lighting while the garage door is open. Returns undefined if the
 * scene has no such lighting.
 */
export function getLightSetup(place: Place, light: Light, open = false): LightSetup | undefined {
  const day = open ? place.openDay : place.day
  if (light === 'night') return open ? undefined : place.night
  return light === 'dusk' ? day && dusk(day, place.night, place.duskLamps) : day
}
