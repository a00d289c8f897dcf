import { EVENT_QUERY_COUNT } from '../../../contract/wire/constants.ts'
import type { Event } from '../../../contract/events/events.ts'
import type { RequestFailure, Result } from '../../api/result.ts'
import { getNewerHalf, type Span } from '../../domain/time/date-range.ts'
import { mergeEvents } from '../../domain/events/event-list.ts'

/** Fetches one page of events: the newest events in `span`, newest first, at most 10,000. */
export type FetchEventSpan = (span: Span) => Promise<Result<readonly Event[]>>

/**
 * `covered`: the loaded part of the requested span, shorter if the provider rejected the span as too large. `cut`: the
 * error of that rejection (3056); null if there was none.
 */
export type LoadedSpan =
  | { readonly ok: true; readonly events: Event[]; readonly covered: Span; readonly cut: RequestFailure | null }
  | RequestFailure

/** Error code: too many events for one query (EVENT-25). */
export const TOO_MANY_EVENTS_CODE = '3056'
const MAX_HALVINGS = 5

/**
 * Loads all events of a span in pages of 10,000 (OPEN-65). If the span is too large, retries with its newer half, down
 * to 1/32 (OPEN-125). After each page of a retry, calls `onPartialResult` with the events loaded so far.
 */
export async function loadSpan(
  fetchSpan: FetchEventSpan,
  span: Span,
  onPartialResult: (events: readonly Event[]) => void = () => undefined,
): Promise<LoadedSpan> {
  let covered = span
  let tooLargeFailure: RequestFailure | null = null
  for (let halvings = 0; ; halvings += 1) {
    const result = await loadPages(fetchSpan, covered, halvings > 0 ? onPartialResult : () => undefined)
    if (result.ok) return { ok: true, events: result.data, covered, cut: tooLargeFailure }
    if (result.code !== TOO_MANY_EVENTS_CODE || halvings === MAX_HALVINGS) return result
    tooLargeFailure = result
    covered = getNewerHalf(covered)
  }
}

async function loadPages(
  fetchSpan: FetchEventSpan,
  span: Span,
  onPartialResult: (events: readonly Event[]) => void,
): Promise<Result<Event[]>> {
  let events: Event[] = []
  let end = span.end
  for (;;) {
    const response = await fetchSpan({ begin: span.begin, end })
    if (!response.ok) return response
    const merged = mergeEvents(events, response.data)
    const oldest = merged.at(-1)
    const hasGrown = merged.length > events.length
    events = merged
    onPartialResult(events)
    if (response.data.length < EVENT_QUERY_COUNT || !oldest || !hasGrown) return { ok: true, data: events }
    end = oldest.event_ts
  }
}
