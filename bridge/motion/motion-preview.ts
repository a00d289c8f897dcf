import type { MotionPreview } from '../../contract/cameras/camera-settings.ts'
import { HOUR_MS } from '../../contract/time-units.ts'

export const PREVIEW_MS = HOUR_MS
const MAX_EVENTS = 1000

/** Interval with motion, ms UTC. `event_id`: id of the recorded event; undefined for a previewed event. */
export interface MotionInterval {
  readonly begin: number
  readonly end: number
  readonly event_id?: string
}

/**
 * Compares recorded with previewed events. Returns the newest `MAX_EVENTS` events, newest first. A recorded event is
 * `kept` if a previewed event overlaps it, otherwise `lost`. Other previewed events are `new`.
 */
export function compareIntervals(
  recorded: readonly MotionInterval[],
  previewed: readonly MotionInterval[],
): MotionPreview['events'] {
  const overlaps = (interval: MotionInterval) => (other: MotionInterval) =>
    interval.begin <= other.end && other.begin <= interval.end
  const recordedEvents = recorded.map((interval) =>
    toPreviewEvent(interval, previewed.some(overlaps(interval)) ? 'kept' : 'lost'),
  )
  const added = previewed
    .filter((interval) => !recorded.some(overlaps(interval)))
    .map(({ begin, end }) => toPreviewEvent({ begin, end }, 'new'))
  return [...recordedEvents, ...added].sort((a, b) => b.begin - a.begin).slice(0, MAX_EVENTS)
}

function toPreviewEvent({ begin, end, event_id }: MotionInterval, outcome: MotionPreview['events'][number]['outcome']) {
  return { begin: Math.round(begin), end: Math.round(end), outcome, event_id: event_id ?? null }
}
