import { EVENT_QUERY_COUNT } from '../../../contract/wire/constants.ts'
import type { Event } from '../../../contract/events/events.ts'
import type { RequestFailure, Result } from '../../api/result.ts'
import { newerHalf, type Span } from '../../domain/time/date-range.ts'
import { mergeEvents } from '../../domain/events/event-list.ts'

/** Makes one event list call. Returns the events in `span`, newest first, at most 10,000. */
export type Ask = (span: Span) => Promise<Result<readonly Event[]>>

/**
 * `covered`: the loaded part of the requested span, shorter if the provider rejected the span as too large. `cut`: the
 * error of that rejection (3056); null if there was none.
 */
export type Loaded =
  | { readonly ok: true; readonly events: Event[]; readonly covered: Span; readonly cut: RequestFailure | null }
  | RequestFailure

/** Error code: too many events for one query (EVENT-25). */
export const TOO_LARGE = '3056'
const HALVINGS_MAX = 5

/**
 * Loads all events of a span, with further calls from the oldest event if there are more than 10,000 (OPEN-65). A span
 * that is too large is halved, keeping the newer half, down to 1/32 (OPEN-125). The result is complete; `recovering`
 * receives the partial results of a halved span.
 */
export async function loadSpan(
  ask: Ask,
  span: Span,
  recovering: (events: readonly Event[]) => void = () => undefined,
): Promise<Loaded> {
  let covered = span
  let cut: RequestFailure | null = null
  for (let halvings = 0; ; halvings += 1) {
    const answer = await loadPages(ask, covered, halvings > 0 ? recovering : () => undefined)
    if (answer.ok) return { ok: true, events: answer.data, covered, cut }
    if (answer.code !== TOO_LARGE || halvings === HALVINGS_MAX) return answer
    cut = answer
    covered = newerHalf(covered)
  }
}

async function loadPages(ask: Ask, span: Span, hear: (events: readonly Event[]) => void): Promise<Result<Event[]>> {
  let events: Event[] = []
  let end = span.end
  for (;;) {
    const answer = await ask({ begin: span.begin, end })
    if (!answer.ok) return answer
    const merged = mergeEvents(events, answer.data)
    const oldest = merged.at(-1)
    const grew = merged.length > events.length
    events = merged
    hear(events)
    if (answer.data.length < EVENT_QUERY_COUNT || !oldest || !grew) return { ok: true, data: events }
    end = oldest.event_ts
  }
}
