import type { MotionTrial } from '../../contract/cameras/camera-settings.ts'
import { HOUR_MS } from '../../contract/time-units.ts'

/** Time span that a motion preview covers, ms. */
export const TRIAL_MS = HOUR_MS
const EVENTS_MAX = 1000

/** Interval with motion, ms UTC; `event_id`: its event. */
export interface MotionInterval {
  readonly begin: number
  readonly end: number
  readonly event_id?: string
}

/** Compares recorded events with the previewed ones: an event is kept if any part of it would be recorded. */
export function compareStretches(
  recorded: readonly MotionInterval[],
  would: readonly MotionInterval[],
): MotionTrial['events'] {
  const meets = (interval: MotionInterval) => (other: MotionInterval) =>
    interval.begin <= other.end && other.begin <= interval.end
  const recordedEvents = recorded.map((interval) =>
    toPreviewEvent(interval, would.some(meets(interval)) ? 'kept' : 'lost'),
  )
  const added = would
    .filter((interval) => !recorded.some(meets(interval)))
    .map(({ begin, end }) => toPreviewEvent({ begin, end }, 'new'))
  return [...recordedEvents, ...added].sort((a, b) => b.begin - a.begin).slice(0, EVENTS_MAX)
}

function toPreviewEvent({ begin, end, event_id }: MotionInterval, outcome: MotionTrial['events'][number]['outcome']) {
  return { begin: Math.round(begin), end: Math.round(end), outcome, event_id: event_id ?? null }
}
