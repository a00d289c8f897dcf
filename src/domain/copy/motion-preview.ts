import { formatCount } from './counts.ts'
import type { MotionPreview } from '../../../contract/cameras/camera-settings.ts'
import { HOUR_MS, MINUTE_MS } from '../../../contract/time-units.ts'

type PreviewEvent = MotionPreview['events'][number]

export function motionPreviewSummary(events: readonly PreviewEvent[]): string {
  const count = (outcome: PreviewEvent['outcome']) => events.filter((event) => event.outcome === outcome).length
  const [retained, lost, added] = [count('kept'), count('lost'), count('new')]
  if (events.length === 0) return 'No events were recorded, and these settings wouldn’t have recorded any either.'
  const parts = [
    ...(retained > 0 ? [`${formatCount(retained, 'event')} would still be recorded`] : []),
    ...(lost > 0
      ? [retained > 0 ? `${lost} wouldn’t` : `${formatCount(lost, 'event')} would no longer be recorded`]
      : []),
    ...(added > 0
      ? [
          retained > 0
            ? `${added} more would be recorded`
            : lost > 0
              ? `${added} new ${added === 1 ? 'one' : 'ones'} would be`
              : `${formatCount(added, 'event')} would be recorded`,
        ]
      : []),
  ]
  const last = parts.pop() ?? ''
  return `${[parts.join(', '), last].filter(Boolean).join(parts.length > 1 ? ', and ' : ' and ')}.`
}

/** Describes how much of the last hour the motion preview covers. `now`: ms UTC, by the browser's clock. */
export function motionPreviewCoverage(
  { since, watched_ms }: Pick<MotionPreview, 'since' | 'watched_ms'>,
  now: number,
): string {
  if (since === null)
    return 'Your hub didn’t monitor this camera for motion in the last hour, so there’s nothing to test.'
  if (watched_ms > HOUR_MS - MINUTE_MS) return 'Based on the last hour.'
  const minutes = Math.floor(watched_ms / MINUTE_MS)
  const duration = minutes === 0 ? 'less than a minute' : formatCount(minutes, 'minute')
  const hasGaps = now - since - watched_ms > 2 * MINUTE_MS
  return hasGaps
    ? `Your hub monitored ${duration} of the last hour. The rest was live only and can’t be tested.`
    : `Your hub has been monitoring this camera for ${duration}. Anything earlier can’t be tested.`
}

/**
 * Returns at most `limit` events: changed ones first, then unchanged ones, both in the order of `events`. `more`:
 * number of omitted events.
 */
export function listPreviewEvents(
  events: readonly PreviewEvent[],
  limit: number,
): { shown: readonly PreviewEvent[]; more: number } {
  const changed = events.filter(({ outcome }) => outcome !== 'kept')
  const unchanged = events.filter(({ outcome }) => outcome === 'kept')
  return { shown: [...changed, ...unchanged].slice(0, limit), more: Math.max(0, events.length - limit) }
}
