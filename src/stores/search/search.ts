import { atom, computed } from 'nanostores'
import { type QueryTime, parseSearchTime } from '../../../contract/search/query-time/query-time.ts'
import type { Event } from '../../../contract/events/events.ts'
import { type SearchMatch, search, SEARCH_TOTAL_MAX } from '../../../contract/search/search-calls.ts'
import { SEARCH_LIMIT } from '../../../contract/wire/constants.ts'
import type { DataOf } from '../../api/api-client.ts'
import { request } from '../../api/api-client.ts'
import type { Span } from '../../domain/time/date-range.ts'
import type { EventsPageState } from '../../domain/events/event-url.ts'
import { filterMatches, toSearchRequest, sortMatches } from '../../domain/search/search-request.ts'
import { getSearchSpan } from '../../domain/search/query-time.ts'
import { $eventUrl } from '../events/event-url.ts'
import { TOO_MANY_EVENTS_CODE } from '../events/load-event-span.ts'
import { $events } from '../events/events.ts'
import { loadEventsByIds } from '../events/events-by-ids.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'
import { onFeed } from '../home/feed.ts'
import { recordSearch } from './search-history.ts'
import { loadEnrollment } from '../account/search-enrollment.ts'
import { changeSearchSettings, getSearchSort } from './search-settings.ts'
import { $videoSearchSwitch } from '../session/session.ts'

export type SearchResponse = DataOf<typeof search>

/** Submitted query. `time`: the time that the query names, resolved at submission; null if it names no time. */
interface SearchQuery {
  readonly query: string
  readonly time: QueryTime | null
}

export type SearchState =
  | { readonly state: 'idle' }
  | (SearchQuery & { readonly state: 'searching' })
  /** `asked`: the searched time span, ms UTC. */
  | (SearchQuery & {
      readonly state: 'found'
      readonly answer: SearchResponse
      readonly asked: Span
      /** Number of matches to skip in the next request; null if all matches have been received. */
      readonly nextOffset: number | null
    })
  /** `isTooLarge`: true if the time span is too long (error 3056). The page then offers to search fewer days. */
  | (SearchQuery & { readonly state: 'failed'; readonly failure: Failure; readonly isTooLarge: boolean })

export type FoundSearch = Extract<SearchState, { readonly state: 'found' }>

export const $search = atom<SearchState>({ state: 'idle' })

/** Results of `$search`, sorted and filtered (STORE-11). */
export const $videoSearchEvents = computed([$search, $eventUrl], (found, urlState): readonly SearchMatch[] =>
  found.state === 'found'
    ? sortMatches(filterMatches(found.answer.events, urlState.filter), getSearchSort(urlState))
    : [],
)

/** Maximum number of searches cached for Back and Forward. */
const MAX_CACHED_SEARCHES = 10
const cachedSearches = new Map<string, Extract<SearchState, { state: 'found' }>>()
let currentSearchKey = ''
let abortController: AbortController | null = null

/** Runs the search in the URL once the account has search access. Returns a function that stops the sync. */
export function syncSearchWithUrl(): () => void {
  const stops = [
    $eventUrl.subscribe(updateSearch),
    $videoSearchSwitch.listen(updateSearch),
    onFeed((message) => {
      if (message.type === 'removed') discardEvents(message.event_ids)
      if (message.type === 'event') updateEvent(message.event)
    }),
  ]
  return () => {
    stops.forEach((stop) => stop())
    cancelSearch()
  }
}

export function retrySearch(): void {
  cachedSearches.delete(currentSearchKey)
  currentSearchKey = ''
  updateSearch()
}

function updateSearch(): void {
  const urlState = $eventUrl.get()
  const { search: query } = urlState
  if (query === undefined || !$videoSearchSwitch.get()) return
  if (query === '') {
    cancelSearch()
    currentSearchKey = ''
    return $search.set({ state: 'idle' })
  }
  const key = createCacheKey(urlState)
  if (key === currentSearchKey) return
  cancelSearch()
  currentSearchKey = key
  const cached = cachedSearches.get(key)
  if (!cached) return void runSearch(key, query, urlState)
  $search.set(cached)
  void refreshResults(key)
}

/**
 * Returns the cache key of a search. The key omits the people and reviewed filters, because the browser applies them to
 * the results.
 */
const createCacheKey = ({ search, asWritten, filter: { range, cameras, kinds, tags } }: EventsPageState) =>
  JSON.stringify([search, asWritten, range, cameras, kinds, tags])

function cancelSearch(): void {
  abortController?.abort()
  abortController = null
  if ($search.get().state === 'searching') {
    currentSearchKey = ''
    $search.set({ state: 'idle' })
  }
}

async function runSearch(key: string, query: string, { filter, asWritten }: EventsPageState): Promise<void> {
  const controller = new AbortController()
  abortController = controller
  const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
  const now = Date.now()
  const time = parseSearchTime(query, now, zone)
  const span = getSearchSpan(filter.range, time, now)
  $search.set({ state: 'searching', query, time })
  const searchRequest = toSearchRequest({ query, filter, asIs: asWritten === true, span, zone })
  const response = await withFailureShown('place', request(search, searchRequest, { signal: controller.signal }))
  if (controller.signal.aborted) return
  abortController = null
  if (!response.ok) {
    currentSearchKey = ''
    $search.set({ state: 'failed', query, time, failure: response, isTooLarge: response.code === TOO_MANY_EVENTS_CODE })
    // The plan or the enrollment may have ended elsewhere. The dialog shows the reloaded enrollment.
    return response.status === 403 ? loadEnrollment(true) : undefined
  }
  const { query_id, total } = response.data
  const nextOffset = getNextOffset(response.data, 0)
  storeResult(key, { state: 'found', query, time, answer: response.data, asked: span, nextOffset })
  recordSearch({ query_id, query, at: Date.now(), found: total })
  changeSearchSettings({ isFirst: false })
  void refreshResults(key)
}

/** Returns the offset after a page of results; null if it was the last page. */
const getNextOffset = ({ events, total }: SearchResponse, offset: number): number | null =>
  events.length === SEARCH_LIMIT && offset + SEARCH_LIMIT < total ? offset + SEARCH_LIMIT : null

/** True while the next page of results loads. */
export const $isLoadingMore = atom(false)

/** Loads the next page of results and adds them to the end of the list. */
export async function loadMoreResults(): Promise<void> {
  const found = $search.get()
  const key = currentSearchKey
  if (found.state !== 'found' || found.nextOffset === null || $isLoadingMore.get()) return
  const { filter, asWritten } = $eventUrl.get()
  const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
  const input = { query: found.query, filter, asIs: asWritten === true, span: found.asked, zone }
  $isLoadingMore.set(true)
  const searchRequest = { ...toSearchRequest(input), offset: found.nextOffset }
  const response = await withFailureShown('toast', request(search, searchRequest), 'We couldn’t load more results.')
  $isLoadingMore.set(false)
  const current = cachedSearches.get(key)
  if (!response.ok || !current) return
  const receivedIds = new Set(current.answer.events.map(({ event }) => event.event_id))
  const newMatches = response.data.events.filter(({ event }) => !receivedIds.has(event.event_id))
  const extended = {
    ...current,
    answer: { ...current.answer, events: [...current.answer.events, ...newMatches] },
    nextOffset: getNextOffset(response.data, found.nextOffset),
  }
  cachedSearches.set(key, extended)
  if (key === currentSearchKey && $search.get() === current) $search.set(extended)
}

/**
 * Reloads the result events that the event list lacks, because they may have been changed or deleted. Removes deleted
 * events from the results.
 */
async function refreshResults(key: string): Promise<void> {
  const list = $events.get()
  const listedIds = new Set(list.state === 'ready' ? list.events.map(({ event_id }) => event_id) : [])
  const ids = cachedSearches.get(key)?.answer.events.map(({ event }) => event.event_id) ?? []
  const unlistedIds = ids.filter((id) => !listedIds.has(id))
  const response = unlistedIds.length > 0 && (await loadEventsByIds(unlistedIds))
  if (!response || !response.ok) return
  const freshEvents = new Map(response.data.map((event) => [event.event_id, event]))
  discardEvents(unlistedIds.filter((id) => !freshEvents.has(id)))
  changeResults(key, (matches) =>
    matches.map((match) => ({ ...match, event: freshEvents.get(match.event.event_id) ?? match.event })),
  )
}

function storeResult(key: string, found: Extract<SearchState, { state: 'found' }>): void {
  cachedSearches.delete(key)
  cachedSearches.set(key, found)
  const [oldest] = cachedSearches.keys()
  if (cachedSearches.size > MAX_CACHED_SEARCHES && oldest !== undefined) cachedSearches.delete(oldest)
  $search.set(found)
}

function discardEvents(ids: readonly string[]): void {
  if (ids.length === 0) return
  const removeDiscarded = (matches: readonly SearchMatch[]) =>
    matches.filter(({ event }) => !ids.includes(event.event_id))
  for (const key of cachedSearches.keys()) changeResults(key, removeDiscarded)
}

/** Updates an event in the results, because its description may arrive after the search. */
function updateEvent(event: Event): void {
  const isForEvent = (match: SearchMatch) => match.event.event_id === event.event_id
  const replaceEvent = (matches: readonly SearchMatch[]) =>
    matches.map((match) => (isForEvent(match) ? { ...match, event } : match))
  for (const [key, { answer }] of cachedSearches)
    if (answer.events.some(isForEvent) || answer.closest.some(isForEvent)) changeResults(key, replaceEvent)
}

/**
 * Changes the results of one search. Subtracts removed results from its total, unless the total is capped at
 * `SEARCH_TOTAL_MAX`.
 */
function changeResults(key: string, update: (matches: readonly SearchMatch[]) => SearchMatch[]): void {
  const found = cachedSearches.get(key)
  if (!found) return
  const { events, closest, total } = found.answer
  const remaining = update(events)
  const newTotal = total === SEARCH_TOTAL_MAX ? total : total - events.length + remaining.length
  const changed = {
    ...found,
    answer: { ...found.answer, events: remaining, total: newTotal, closest: update(closest) },
  }
  cachedSearches.set(key, changed)
  if (key === currentSearchKey && $search.get() === found) $search.set(changed)
}
