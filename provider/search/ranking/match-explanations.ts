import type { SqlStorage } from '@cloudflare/workers-types'
import type { Event } from '../../../contract/events/events.ts'
import type { SearchMatch } from '../../../contract/search/search-calls.ts'
import { SEARCH_LIMIT } from '../../../contract/wire/constants.ts'
import { listEventsByIds } from '../../events/event-rows.ts'
import type { EventVisibility } from '../../billing/plans/event-visibility.ts'
import { explainMatch } from './highlight-matches.ts'
import type { CorrectedQuery } from '../query/correct-query.ts'
import { type RankedHit, classifyStrength } from './match-weights.ts'
import { findSubject } from './match-subject.ts'
import { listEventMoments, listThumbnailDetections } from '../index/search-rows.ts'
import type { NamedCamera } from '../query/parse-query.ts'

/** Match with the values that determine its rank among the matches of all homes. */
export interface RankedMatch {
  readonly match: SearchMatch
  readonly place: RankedHit
}

/** Returns the events with their match explanations. Skips events that were deleted in the meantime. */
export function explainMatches(
  sql: SqlStorage,
  { concepts, instead }: CorrectedQuery,
  { cameras, view }: { cameras: readonly NamedCamera[]; view: EventVisibility },
  hits: readonly RankedHit[],
): RankedMatch[] {
  if (hits.length === 0) return []
  const ids = hits.map(({ event_id }) => event_id)
  const names = new Map(cameras.map(({ device_id, name }) => [device_id, name]))
  const events = JSON.parse(listEventsByIds(sql, view, ids)) as Event[]
  const byId = new Map(events.map((event) => [event.event_id, event]))
  const moments = listEventMoments(sql, ids)
  // A page shows the last matches of the list, so only these need boxes.
  const detections = listThumbnailDetections(sql, ids.slice(-SEARCH_LIMIT))
  return hits.flatMap((hit) => {
    const event = byId.get(hit.event_id)
    if (!event) return []
    const isCameraNamed = concepts.some((concept) => concept.devices.includes(event.device_id))
    const { sentence, ...explanation } = explainMatch(
      event,
      moments.get(event.event_id) ?? [],
      concepts,
      isCameraNamed ? (names.get(event.device_id) ?? null) : null,
    )
    const subject = findSubject(detections.get(event.event_id), { at_s: explanation.at_s, sentence }, concepts)
    const strength = instead.length > 0 ? 'weak' : classifyStrength(hit, concepts)
    return [{ match: { event, strength, ...explanation, ...(subject && { subject }) }, place: hit }]
  })
}
