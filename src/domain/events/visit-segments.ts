import type { TimelineRun } from '../../../contract/events/timeline.ts'
import type { Visit } from './visits.ts'

/**
 * Returns the gapless segments of one camera (oldest first) with each visit as one recorded segment: live time between
 * the clips of a visit counts as recorded. `visits`: newest first.
 */
export function joinVisitSegments(segments: readonly TimelineRun[], visits: readonly Visit[]): TimelineRun[] {
  const remaining = visits.filter(({ clips }) => clips.length > 1)
  const joined: TimelineRun[] = []
  for (const [from, to, state, reason] of segments) {
    while ((remaining.at(-1)?.end ?? Infinity) <= from) remaining.pop()
    const visit = remaining.at(-1)
    const isInVisit = state === 'live_only' && visit !== undefined && from >= visit.begin && to <= visit.end
    const shownState = isInVisit ? 'recorded' : state
    const last = joined.at(-1)
    if (last && last[1] === from && last[2] === 'recorded' && shownState === 'recorded') {
      // Clips of different visits keep their own blocks.
      if (visit && last[0] >= visit.begin && to <= visit.end) {
        joined[joined.length - 1] = [last[0], to, 'recorded', last[3]]
        continue
      }
    }
    joined.push([from, to, shownState, reason])
  }
  return joined
}
