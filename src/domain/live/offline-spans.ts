import type { TimelineRun, TimelineState } from '../../../contract/events/timeline.ts'
import { MINUTE_MS } from '../../../contract/time-units.ts'
import type { Span } from '../time/date-range.ts'

/** States in which a camera could not be reached. While its hub is offline, a camera cannot be reached either. */
const OFFLINE_STATES: ReadonlySet<TimelineState> = new Set<TimelineState>(['offline', 'bridge_off'])

/** Returns the spans in which at least one camera was offline, oldest first. Omits spans shorter than a minute. */
export function findOfflineSpans(runs: readonly TimelineRun[]): Span[] {
  const spans: Span[] = []
  const offline = runs.filter(([, , state]) => OFFLINE_STATES.has(state)).sort(([a], [b]) => a - b)
  for (const [begin, end] of offline) {
    const last = spans.at(-1)
    if (last && begin <= last.end) spans[spans.length - 1] = { begin: last.begin, end: Math.max(last.end, end) }
    else spans.push({ begin, end })
  }
  return spans.filter(({ begin, end }) => end - begin >= MINUTE_MS)
}
