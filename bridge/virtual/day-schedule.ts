import { listActionsBetween, getFrameAt, type ScheduleInput } from '../../scenes/day-plan.ts'
import type { TimeOfDay } from '../../scenes/manifest.ts'

export interface ScheduledAction {
  readonly device_id: string
  readonly scene: string
  readonly light: TimeOfDay
  readonly action: string
  /** Start of the segment that shows the action, ms UTC. */
  readonly at: number
}

export interface DaySchedule {
  readonly scene: string
  readonly input: ScheduleInput
}

export interface ProviderClock {
  /** Returns the current time, ms UTC by the provider's clock, possibly with fractions. */
  now(): number
}

/** Returns a camera's actions whose segments overlap [from, to), ms UTC, in order of time. */
export function listActions({ scene, input }: DaySchedule, from: number, to: number): ScheduledAction[] {
  return listActionsBetween(input, Math.floor(from), Math.ceil(to)).map(({ at, action, light }) => ({
    device_id: input.cameraId,
    scene,
    light,
    action,
    at,
  }))
}

export function getTimeOfDay({ input }: DaySchedule, now: number): TimeOfDay {
  return getFrameAt(input, Math.floor(now)).light
}

/**
 * Returns the start times (ms UTC) of the camera's actions that belong to a visit and whose segments overlap
 * [from, to). Several cameras record the same visit.
 */
export function listVisits({ input }: DaySchedule, from: number, to: number): ReadonlySet<number> {
  return new Set(listActionsBetween(input, from, to).flatMap(({ at, visit }) => (visit ? [at] : [])))
}
