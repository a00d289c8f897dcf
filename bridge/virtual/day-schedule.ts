import { actionsBetween, pictureAt, type PlanInput } from '../../scenes/day-plan.ts'
import type { Light } from '../../scenes/manifest.ts'

/** An action of the day schedule on a virtual camera. */
export interface Happening {
  readonly device_id: string
  readonly scene: string
  readonly light: Light
  readonly action: string
  /** Start of the action's segment, ms UTC. */
  readonly at: number
}

export interface CameraPlan {
  readonly scene: string
  readonly input: PlanInput
}

export interface ProviderClock {
  /** Returns the current time, ms UTC by the provider's clock, possibly with fractions. */
  now(): number
}

/** Returns the actions of a camera in segments that overlap [from, to), ms UTC, in order of time. */
export function happenings({ scene, input }: CameraPlan, from: number, to: number): Happening[] {
  return actionsBetween(input, Math.floor(from), Math.ceil(to)).map(({ at, action, light }) => ({
    device_id: input.cameraId,
    scene,
    light,
    action,
    at,
  }))
}

export function lightAt({ input }: CameraPlan, now: number): Light {
  return pictureAt(input, Math.floor(now)).light
}

/** Returns the start times of shared visits that overlap [from, to), ms UTC. */
export function visitsBetween({ input }: CameraPlan, from: number, to: number): ReadonlySet<number> {
  return new Set(actionsBetween(input, from, to).flatMap(({ at, visit }) => (visit ? [at] : [])))
}
