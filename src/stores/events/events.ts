import { atom, computed } from 'nanostores'
import type { Event } from '../../../contract/events/events.ts'
import { reviewEvents } from '../../../contract/events/feed-and-review-calls.ts'
import { request } from '../../api/api-client.ts'
import { yieldToMain } from '../shell/yield-to-main.ts'
import type { RequestFailure } from '../../api/result.ts'
import { type Span, toSpan } from '../../domain/time/date-range.ts'
import { toDay } from '../../domain/time/local-time.ts'
import { DEFAULT_FILTER, includesTime, resolveRange } from '../../domain/events/event-url.ts'
import {
  type EventFilter,
  hasActiveFilter,
  listPeopleOfEvents,
  passesFilter,
} from '../../domain/events/event-filter.ts'
import { chunkList } from '../../domain/chunk-list.ts'
import { isFreeEvent } from '../../domain/events/event-types.ts'
import { eventsRequest } from '../../early/requests/events.ts'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { $eventFilter, $eventUrl, changeFilter, syncEventUrl } from './event-url.ts'
import { createEventList } from './event-list.ts'
import type { FetchEventSpan } from './load-event-span.ts'
import { parseEvents, skipEventValidation } from './parse-events.ts'
import { onFeed, openFeed } from '../home/feed.ts'
import { $isFreeView, loadDevices } from '../home/devices.ts'

/**
 * Requests the event history in the paid view, or the event list in the free view (OPEN-62). If the history call fails,
 * reloads the cameras; if the free view now applies, requests the event list.
 */
export const fetchEvents: FetchEventSpan = async (span) => {
  const isPaidView = !$isFreeView.get()
  const response = await fetchEventsOfView(isPaidView, span)
  if (response.ok || !isPaidView) return response
  await loadDevices()
  return $isFreeView.get() ? fetchEventsOfView(false, span) : response
}

async function fetchEventsOfView(isPaidView: boolean, span: Span): ReturnType<FetchEventSpan> {
  const { call, input } = eventsRequest(span, !isPaidView)
  const response = await request(skipEventValidation(call), input)
  if (!response.ok) return response
  const events = await parseEvents(response.data.event_list)
  return events
    ? { ok: true, data: events }
    : { ok: false, code: 'ERR_BAD_RESPONSE', msg: '', kind: 'ERR_BAD_RESPONSE', status: 200 }
}

/**
 * Returns true if the list may contain a new event: the event is in the filter's date range, and the free view shows
 * its type. Dates that the user chose stay fixed; a range of the last 14 or 60 days moves at midnight.
 */
function acceptsEvent(event: Event): boolean {
  if (!includesTime($eventUrl.get().filter, event.event_ts, Date.now())) return false
  return !$isFreeView.get() || isFreeEvent(event)
}

const doesFilterIncludeNow = () => includesTime($eventUrl.get().filter, Date.now(), Date.now())

const eventList = createEventList({
  ask: fetchEvents,
  now: Date.now,
  acceptsEvent,
  includesPresent: doesFilterIncludeNow,
  onFailure: showFailureToast,
  yieldTask: yieldToMain,
})

/** Load state of the event list, and the events in the filter's date and hour range. No other filter applies. */
export const $events = eventList.$list

/**
 * Events that a retry with a shorter span has loaded so far. The list contains them only after the retry is complete.
 */
export const $recoveryEvents = eventList.$recoveryEvents

/** Events that pass the filter, newest first; empty unless the list has loaded. */
export const $filteredEvents = computed([$events, $eventFilter], (events, filter): readonly Event[] => {
  if (events.state !== 'ready') return []
  return hasActiveFilter(filter) ? events.events.filter((event) => passesFilter(event, filter)) : events.events
})

/** True while the sheet with the filters covers the list of a phone. */
export const $isFilterSheetOpen = atom(false)

export const $peopleInEvents = computed($events, (events) =>
  events.state === 'ready' ? listPeopleOfEvents(events.events) : [],
)

export const reloadEvents = (): void => loadEvents({ keepsList: false })

function loadEvents(options: { keepsList: boolean }): void {
  void eventList.load(toSpan(resolveRange($eventUrl.get().filter, Date.now())), options)
}

/**
 * Shows a toast if the error catalog has a text for the failure; the list also shows the failure (OPEN-63). Loads the
 * code with the error texts on the first failure.
 */
function showFailureToast(failure: RequestFailure): void {
  void import('../shell/report-failure.ts').then(({ showFailure: tell }) => tell('both', failure), console.debug)
}

/** Narrows the filter to the part of its range that the provider could return (OPEN-63). */
export function narrowToSpan({ begin, end }: Span): void {
  changeFilter({ range: { start: toDay(begin), end: toDay(end), hours: [0, 23] } })
}

export function clearFilter(): void {
  changeFilter(DEFAULT_FILTER)
}

/** Marks an event as reviewed, and reverts the mark if the provider does not accept it. Shows no failure. */
/** Delay before the events of an opened clip are marked, ms. Marking scans the list, so the clip shows a frame first. */
export const MARK_DELAY_MS = 300

export function markEventReviewed(event: Event): void {
  if (!event.reviewed) void markEvents([event], true)
}

const MAX_MARKS_PER_CALL = 500

/**
 * Marks events as reviewed or not, and reverts the marks that the provider did not accept. Returns null on success.
 * Returns a failure without showing it, because opening a clip marks the clip's event silently.
 */
export async function markEvents(events: readonly Event[], reviewed: boolean): Promise<RequestFailure | null> {
  const ids = events.filter((event) => event.reviewed !== reviewed).map(({ event_id }) => event_id)
  eventList.mark(ids, reviewed)
  let markedCount = 0
  for (const batch of chunkList(ids, MAX_MARKS_PER_CALL)) {
    const response = await request(reviewEvents, { event_ids: batch, reviewed })
    if (!response.ok) {
      eventList.mark(ids.slice(markedCount), !reviewed)
      return response
    }
    markedCount += batch.length
  }
  return null
}

/** Removes events from this page's list. `restoreDeletedEvents` adds them again. */
export function removeEvents(ids: readonly string[]): void {
  eventList.remove(ids)
}

export function restoreDeletedEvents(events: readonly Event[]): void {
  eventList.restore(events)
}

/** Starts the URL sync, the first load and the feed of the page's events. Returns a function that stops them. */
export function startEvents(): () => void {
  const stops = [
    syncEventUrl(),
    loadDeferred(),
    onFeed((message) => eventList.applyMessage(message)),
    watchFilterRange(),
    // Removing the list meanwhile would lose the keyboard focus in it.
    $isFreeView.listen(() => loadEvents({ keepsList: true })),
  ]
  reloadEvents()
  openFeed()
  return () => stops.forEach((stop) => stop())
}

/**
 * Loads and starts code that the first events do not need, such as stored filter choices, anomalies and missed events.
 * Returns a function that stops this work.
 */
function loadDeferred(): () => void {
  let stop: (() => void) | null = null
  let isStopped = false
  void loadWithRetry(() => import('./deferred-loading.ts')).then((deferredModule) => {
    if (!isStopped) stop = deferredModule.startDeferredWork(eventList)
  })
  return () => {
    isStopped = true
    stop?.()
  }
}

function watchFilterRange(): () => void {
  let currentRange: EventFilter['range'] = $eventUrl.get().filter.range
  return $eventUrl.listen(({ filter }) => {
    if (filter.range === currentRange) return
    currentRange = filter.range
    reloadEvents()
  })
}
