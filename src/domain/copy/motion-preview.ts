import { formatCount } from './counts.ts'
import type { MotionPreview } from '../../../contract/cameras/camera-settings.ts'
import { HOUR_MS, MINUTE_MS } from '../../../contract/time-units.ts'

type PreviewEvent = MotionPreview['events'][number]

export function motionPreviewSummary(events: readonly PreviewEvent[]): string {
  const count = (outcome: PreviewEvent['outcome']) => events.filter((event) => event.outcome === outcome).length
  const [retained, lost, added] = [count('kept'), count('lost'), count('new')]
  if (events.length === 0) return 'There was no event, and these settings would have recorded none.'
  const parts = [
    ...(retained + lost > 0 ? [`${formatCount(retained, 'event')} would be kept`] : []),
    ...(lost > 0 ? [`${lost} would not`] : []),
    ...(added > 0
      ? [retained + lost > 0 ? `${added} more would be recorded` : `${formatCount(added, 'event')} would be recorded`]
      : []),
  ]
  const last = parts.pop() ?? ''
  return `${[parts.join(', '), last].filter(Boolean).join(' and ')}.`
}

/** Describes how much of the last hour the motion preview covers. `now`: ms UTC, by the browser's clock. */
export function motionPreviewCoverage(
  { since, watched_ms }: Pick<MotionPreview, 'since' | 'watched_ms'>,
  now: number,
): string {
  if (since === null)
    return 'The box at home has not watched this camera for motion in the last hour: there is nothing to try it on.'
  if (watched_ms > HOUR_MS - MINUTE_MS) return 'Tried on the whole last hour.'
  const minutes = Math.floor(watched_ms / MINUTE_MS)
  const duration = minutes === 0 ? 'less than a minute' : formatCount(minutes, 'minute')
  const hasGaps = now - since - watched_ms > 2 * MINUTE_MS
  return hasGaps
    ? `The box at home watched for ${duration} of the last hour. The rest was live only and cannot be tried.`
    : `The box at home has watched for ${duration}. What came before cannot be tried.`
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
