import type { TimeOfDay, SceneMoment, Tag } from '../manifest.ts'
import type { Camera } from './camera.ts'
import { createDuskLight } from './dusk.ts'
import type { Lamp, LightSetup } from './light.ts'
import type { Vec3 } from './math.ts'
import type { Mesh } from './mesh.ts'
import type { Shot } from './shot.ts'
import type { Soundscape } from './sound/track.ts'

/** Scripted action. `draw` adds the actors at second `t`. No actor may be visible in the first or the last frame. */
export interface Action {
  id: string
  label: string
  summary: string
  seconds: 20 | 40
  /** Second of the thumbnail. */
  best: number
  tags: Tag[]
  /** People that the camera recognizes: a name, or `face:` plus an id for an unnamed person. */
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
  center: Vec3
  radius: number
  build: () => Mesh
  day: LightSetup
  night: LightSetup
  wind: number
  skyShare: number | ((p: Vec3) => number)
  /** Daylight with the garage door open. */
  openDay?: LightSetup
  /** Draws the movements that every segment contains; they must repeat every 20 s. */
  always?: (s: Shot, t: number) => void
  /** Draws small movements of the quiet segment (40 s). */
  quiet: (s: Shot, t: number) => void
  dayActions: Action[]
  nightActions: Action[]
  /** Captions by time of day and action (`day/cat`). */
  moments: Readonly<Record<string, readonly SceneMoment[]>>
  /** Daytime actions that also happen at dusk. */
  duskActions: string[]
  /** Audio of the microphone; undefined if the camera has none. */
  sound?: Soundscape
  duskLamps?: Lamp[]
}

export function listActions(place: Place, light: TimeOfDay): Action[] {
  if (light === 'night') return place.nightActions
  return light === 'day' ? place.dayActions : place.dayActions.filter(({ id }) => place.duskActions.includes(id))
}

/**
 * Returns the lighting of a scene; with `open`, the lighting while the garage door is open. Returns undefined if the
 * scene has no such lighting.
 */
export function getLightSetup(place: Place, light: TimeOfDay, open = false): LightSetup | undefined {
  const day = open ? place.openDay : place.day
  if (light === 'night') return open ? undefined : place.night
  return light === 'dusk' ? day && createDuskLight(day, place.night, place.duskLamps) : day
}
