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

export interface Scene {
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
  /** Added to the quantizer at night, to save bytes; 0 by default. */
  nightQpOffset?: number
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

export function listActions(scene: Scene, timeOfDay: TimeOfDay): Action[] {
  if (timeOfDay === 'night') return scene.nightActions
  return timeOfDay === 'day' ? scene.dayActions : scene.dayActions.filter(({ id }) => scene.duskActions.includes(id))
}

/**
 * Returns the lighting of a scene; with `isDoorOpen`, the lighting while the garage door is open. Returns undefined if
 * the scene has no such lighting.
 */
export function getLightSetup(scene: Scene, timeOfDay: TimeOfDay, isDoorOpen = false): LightSetup | undefined {
  const day = isDoorOpen ? scene.openDay : scene.day
  if (timeOfDay === 'night') return isDoorOpen ? undefined : scene.night
  return timeOfDay === 'dusk' ? day && createDuskLight(day, scene.night, scene.duskLamps) : day
}
