import type { SqlStorage } from '@cloudflare/workers-types'
import type { Event } from '../../../contract/events/events.ts'
import type { Match } from '../../../contract/search/search-calls.ts'
import { eventsByIds } from '../../events/event-rows.ts'
import type { View } from '../../billing/plans/event-visibility.ts'
import { explain } from './highlight-matches.ts'
import type { Question } from '../query/correct-query.ts'
import { type Placed, strengthOf } from './match-weights.ts'
import { momentsOf } from '../index/search-rows.ts'
import type { NamedCamera } from '../query/parse-query.ts'

/** A match with its place among those of other homes. */
export interface PlacedMatch {
  readonly match: Match
  readonly place: Placed
}

/** The events with what each was found by; one that is gone by now is left out. */
export function receiptsOf(
  sql: SqlStorage,
  { concepts, instead }: Question,
  { cameras, view }: { cameras: readonly NamedCamera[]; view: View },
  placed: readonly Placed[],
): PlacedMatch[] {
  const ids = placed.map(({ event_id }) => event_id)
  const names = new Map(cameras.map(({ device_id, name }) => [device_id, name]))
  const events = JSON.parse(eventsByIds(sql, view, ids)) as Event[]
  const byId = new Map(events.map((event) => [event.event_id, event]))
  const moments = momentsOf(sql, ids)
  return placed.flatMap((place) => {
    const event = byId.get(place.event_id)
    if (!event) return []
    const asked = concepts.some((one) => one.devices.includes(event.device_id))
    const receipt = explain(
      event,
      moments.get(event.event_id) ?? [],
      concepts,
      asked ? (names.get(event.device_id) ?? null) : null,
    )
    return [
      { match: { event, strength: instead.length > 0 ? 'weak' : strengthOf(place, concepts), ...receipt }, place },
    ]
  })
}
