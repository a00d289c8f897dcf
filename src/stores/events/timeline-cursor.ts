import { atom } from 'nanostores'
import type { Event } from '../../../contract/events/events.ts'
import type { Tick } from '../../domain/events/timeline-ticks.ts'

/** What a pointer or a key points at on the timeline. */
export interface TimelineCursor {
  readonly deviceId: string
  /** The instant itself, ms UTC. */
  readonly at: number
  /** CSS pixels from the left end of the strip. */
  readonly x: number
  /** The tick that it has taken; null away from all of them. */
  readonly tick: Tick | null
  /** What is shown there: the tick's event, else the nearest one that has a picture; null where nothing is. */
  readonly event: Event | null
}

/** Null while nothing is pointed at. */
export const $timelineCursor = atom<TimelineCursor | null>(null)
