import { computed } from 'nanostores'
import type { Event } from '../../../contract/events/events.ts'
import { reviewEvents } from '../../../contract/events/feed-and-review-calls.ts'
import { request } from '../../api/api-client.ts'
import type { RequestFailure } from '../../api/result.ts'
import { type Span, toSpan } from '../../domain/time/date-range.ts'
import { toDay } from '../../domain/time/local-time.ts'
import { DEFAULT_FILTER, holdsTime, resolveRange } from '../../domain/events/event-url.ts'
import { type EventFilter, isNarrowing, namesIn, passes } from '../../domain/events/event-filter.ts'
import { chunkList } from '../../domain/chunk-list.ts'
import { isFreeEvent } from '../../domain/events/event-types.ts'
import { eventsRequest } from '../../early/requests/events.ts'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { $address, changeFilter, syncWithUrl } from './event-url.ts'
import { createEventList } from './event-list.ts'
import type { Ask } from './load-event-span.ts'
import { onFeed, openFeed } from '../home/feed.ts'
import { $isFreeView, loadDevices } from '../home/devices.ts'

/**
 * Requests the event history in the paid view, the event list in the free view (OPEN-62). If plan coverage is unknown,
 * it requests the history immediately; if that fails, it loads the cameras, and their coverage decides.
 */
export const fetchEvents: Ask = async (span) => {
  const paid = !$isFreeView.get()
  const answer = await fetchView(paid, span)
  if (answer.ok || !paid) return answer
  await loadDevices()
  return $isFreeView.get() ? fetchView(false, span) : answer
}

async function fetchView(paid: boolean, span: Span): ReturnType<Ask> {
  const { call, input } = eventsRequest(span, !paid)
  const answer = await request(call, input)
  return answer.ok ? { ok: true, data: answer.data.event_list } : answer
}

/**
 * Returns true if a new event belongs in the view. Days that the user chose stay fixed; ranges of the last 14 or 60
 * days advance at midnight.
 */
function accepts(event: Event): boolean {
  if (!holdsTime($address.get().filter, event.event_ts, Date.now())) return false
  return !$isFreeView.get() || isFreeEvent(event)
}

const isOpen = () => holdsTime($address.get().filter, Date.now(), Date.now())

const list = createEventList({ ask: fetchEvents, now: Date.now, accepts, isOpen, onFailure: showFailureToast })

/** All events of the selected days. */
export const $events = list.$list

/** Events loaded so far by a retry with half the span; separate from the list. */
export const $recoveryEvents = list.$recovery

/** Events that pass the filter, newest first; empty until loaded. */
export const $filteredEvents = computed([$events, $address], (events, { filter }): readonly Event[] => {
  if (events.state !== 'ready') return []
  return isNarrowing(filter) ? events.events.filter((event) => passes(event, filter)) : events.events
})

/** Names of all people in the events of the selected days. */
export const $people = computed($events, (events) => (events.state === 'ready' ? namesIn(events.events) : []))

export function reloadEvents(): void {
  void list.load(toSpan(resolveRange($address.get().filter, Date.now())))
}

/** Shows a failure as a toast and in the list (OPEN-63). The first failure loads the error texts. */
function showFailureToast(failure: RequestFailure): void {
  void import('../shell/report-failure.ts').then(({ showFailure: tell }) => tell('both', failure), console.debug)
}

/** Narrows the filter to the part of its range that the provider could return (OPEN-63). */
export function chooseSpan({ begin, end }: Span): void {
  changeFilter({ range: { start: toDay(begin), end: toDay(end), hours: [0, 23] } })
}

export function clearFilter(): void {
  changeFilter(DEFAULT_FILTER)
}

/** Marks an event as reviewed, here and on every other open page of the home. */
export function markEventReviewed(event: Event): void {
  if (!event.reviewed) void markEvents([event], true)
}

/** Maximum number of events per call. */
const MARK_MAX = 500

/**
 * Marks events as reviewed or not, and reverts those that the provider did not accept. Returns a failure instead of
 * showing it, because opening a clip marks its event silently.
 */
export async function markEvents(events: readonly Event[], reviewed: boolean): Promise<RequestFailure | null> {
  const ids = events.filter((event) => event.reviewed !== reviewed).map(({ event_id }) => event_id)
  list.mark(ids, reviewed)
  let markedCount = 0
  for (const part of chunkList(ids, MARK_MAX)) {
    const answer = await request(reviewEvents, { event_ids: part, reviewed })
    if (!answer.ok) {
      list.mark(ids.slice(markedCount), !reviewed)
      return answer
    }
    markedCount += part.length
  }
  return null
}

/** Removes events from this page's list; `bringEventsBack` restores them. */
export function removeEvents(ids: readonly string[]): void {
  list.remove(ids)
}

export function bringEventsBack(events: readonly Event[]): void {
  list.bringBack(events)
}

/** Starts the page's events: URL sync, first list, feed. Returns a function that stops them. */
export function startEvents(): () => void {
  const stops = [
    syncWithUrl(),
    loadDeferred(),
    onFeed((message) => list.hear(message)),
    watchRange(),
    $isFreeView.listen(() => reloadEvents()),
  ]
  reloadEvents()
  openFeed()
  return () => stops.forEach((stop) => stop())
}

/**
 * Loads the code that the first events do not need: stored filter choices, anomalies and missed events. Returns a
 * function that stops this work.
 */
function loadDeferred(): () => void {
  let stop: (() => void) | null = null
  let isOver = false
  void loadWithRetry(() => import('./deferred-loading.ts')).then((later) => {
    if (!isOver) stop = later.watchDeferred(list)
  })
  return () => {
    isOver = true
    stop?.()
  }
}

function watchRange(): () => void {
  let currentRange: EventFilter['range'] = $address.get().filter.range
  return $address.listen(({ filter }) => {
    if (filter.range === currentRange) return
    currentRange = filter.range
    reloadEvents()
  })
}
