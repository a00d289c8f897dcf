import { atom } from 'nanostores'
import type { Event } from '../../../contract/events/events.ts'
import type { Tick } from '../../domain/events/timeline-ticks.ts'

/** Position that a pointer or key selects on the timeline. */
export interface TimelineCursor {
  readonly deviceId: string
  /** Timestamp, ms UTC. */
  readonly at: number
  /** CSS pixels from the left edge of the strip. */
  readonly x: number
  /** Tick that the position snaps to; null if none is close. */
  readonly tick: Tick | null
  /**
   * Event to preview: the event that positions the tick, or without a tick the camera's nearest event with a clip; null
   * if there is none.
   */
  readonly event: Event | null
}

export const $timelineCursor = atom<TimelineCursor | null>(null)
