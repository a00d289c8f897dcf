import { atom, computed } from 'nanostores'
import { type AskedTime, searchedTimeIn } from '../../../contract/search/query-time/query-time.ts'
import type { Event } from '../../../contract/events/events.ts'
import { type SearchMatch, search, TOTAL_MAX } from '../../../contract/search/search-calls.ts'
import type { DataOf } from '../../api/api-client.ts'
import { request } from '../../api/api-client.ts'
import type { Span } from '../../domain/time/date-range.ts'
import type { EventAddress } from '../../domain/events/event-url.ts'
import { narrowed, toSearchRequest, sortMatches } from '../../domain/search/search-request.ts'
import { searchedSpan } from '../../domain/search/query-time.ts'
import { $address } from '../events/event-url.ts'
import { TOO_LARGE } from '../events/load-event-span.ts'
import { $events } from '../events/events.ts'
import { loadEventsByIds } from '../events/events-by-ids.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'
import { onFeed } from '../home/feed.ts'
import { recordSearch } from './search-history.ts'
import { loadOnboarding } from '../account/search-enrollment.ts'
import { changeSettings, getSort } from './search-settings.ts'
import { $videoSearchSwitch } from '../session/session.ts'

export type SearchAnswer = DataOf<typeof search>

/** Submitted query. `time`: the time that the query names, resolved at submission; null if it names none. */
interface SearchQuery {
  readonly query: string
  readonly time: AskedTime | null
}

export type SearchState =
  | { readonly state: 'idle' }
  | (SearchQuery & { readonly state: 'searching' })
  /** `asked`: the searched time span, ms UTC. */
  | (SearchQuery & { readonly state: 'found'; readonly answer: SearchAnswer; readonly asked: Span })
  /** `isTooLarge`: a search over fewer days would work. */
  | (SearchQuery & { readonly state: 'failed'; readonly failure: Failure; readonly isTooLarge: boolean })

export type FoundSearch = Extract<SearchState, { readonly state: 'found' }>

export const $search = atom<SearchState>({ state: 'idle' })

/** Results of `$search`, sorted and filtered (STORE-11). */
export const $videoSearchEvents = computed([$search, $address], (found, address): readonly SearchMatch[] =>
  found.state === 'found' ? sortMatches(narrowed(found.answer.events, address.filter), getSort(address)) : [],
)

/** Maximum number of searches cached for Back and Forward. */
const KEPT_MAX = 10
const answers = new Map<string, Extract<SearchState, { state: 'found' }>>()
let currentKey = ''
let ending: AbortController | null = null

/** Runs the search in the URL once the account is known to have search. Returns a function that stops the sync. */
export function syncSearchWithUrl(): () => void {
  const stops = [
    $address.subscribe(updateSearch),
    $videoSearchSwitch.listen(updateSearch),
    onFeed((message) => {
      if (message.type === 'removed') discardEvents(message.event_ids)
      if (message.type === 'event') renew(message.event)
    }),
  ]
  return () => {
    stops.forEach((stop) => stop())
    stopAsking()
  }
}

export function retrySearch(): void {
  answers.delete(currentKey)
  currentKey = ''
  updateSearch()
}

function updateSearch(): void {
  const address = $address.get()
  const { search: query } = address
  if (query === undefined || !$videoSearchSwitch.get()) return
  if (query === '') {
    stopAsking()
    currentKey = ''
    return $search.set({ state: 'idle' })
  }
  const key = searchKey(address)
  if (key === currentKey) return
  stopAsking()
  currentKey = key
  const cached = answers.get(key)
  if (!cached) return void runSearch(key, query, address)
  $search.set(cached)
  void refresh(key)
}

/**
 * Returns the cache key of a search. The people and reviewed filters apply locally, so they are not part of the key.
 */
const searchKey = ({ search, asWritten, filter: { range, cameras, kinds, tags } }: EventAddress) =>
  JSON.stringify([search, asWritten, range, cameras, kinds, tags])

function stopAsking(): void {
  ending?.abort()
  ending = null
  if ($search.get().state === 'searching') {
    currentKey = ''
    $search.set({ state: 'idle' })
  }
}

async function runSearch(key: string, query: string, { filter, asWritten }: EventAddress): Promise<void> {
  const mine = new AbortController()
  ending = mine
  const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
  const now = Date.now()
  const time = searchedTimeIn(query, now, zone)
  const span = searchedSpan(filter.range, time, now)
  $search.set({ state: 'searching', query, time })
  const question = toSearchRequest({ query, filter, asIs: asWritten === true, span, zone })
  const answer = await withFailureShown('place', request(search, question, { signal: mine.signal }))
  if (mine.signal.aborted) return
  ending = null
  if (!answer.ok) {
    currentKey = ''
    $search.set({ state: 'failed', query, time, failure: answer, isTooLarge: answer.code === TOO_LARGE })
    // The plan or the search enrollment may have ended elsewhere; the dialog then shows that.
    return answer.status === 403 ? loadOnboarding(true) : undefined
  }
  const { query_id, total } = answer.data
  storeResult(key, { state: 'found', query, time, answer: answer.data, asked: span })
  recordSearch({ query_id, query, at: Date.now(), found: total })
  changeSettings({ isFirst: false })
  void refresh(key)
}

/** Reloads by id the results that the event list does not contain, because they may have been deleted or changed. */
async function refresh(key: string): Promise<void> {
  const list = $events.get()
  const held = new Set(list.state === 'ready' ? list.events.map(({ event_id }) => event_id) : [])
  const ids = answers.get(key)?.answer.events.map(({ event }) => event.event_id) ?? []
  const unheld = ids.filter((id) => !held.has(id))
  const answer = unheld.length > 0 && (await loadEventsByIds(unheld))
  if (!answer || !answer.ok) return
  const fresh = new Map(answer.data.map((event) => [event.event_id, event]))
  discardEvents(unheld.filter((id) => !fresh.has(id)))
  change(key, (matches) =>
    matches.map((match) => ({ ...match, event: fresh.get(match.event.event_id) ?? match.event })),
  )
}

function storeResult(key: string, found: Extract<SearchState, { state: 'found' }>): void {
  answers.delete(key)
  answers.set(key, found)
  const [oldest] = answers.keys()
  if (answers.size > KEPT_MAX && oldest !== undefined) answers.delete(oldest)
  $search.set(found)
}

function discardEvents(ids: readonly string[]): void {
  if (ids.length === 0) return
  const still = (matches: readonly SearchMatch[]) => matches.filter(({ event }) => !ids.includes(event.event_id))
  for (const key of answers.keys()) change(key, still)
}

/** Updates an event in the results: a clip may get its description after the search. */
function renew(event: Event): void {
  const isForEvent = (match: SearchMatch) => match.event.event_id === event.event_id
  const renewed = (matches: readonly SearchMatch[]) =>
    matches.map((match) => (isForEvent(match) ? { ...match, event } : match))
  for (const [key, { answer }] of answers)
    if (answer.events.some(isForEvent) || answer.closest.some(isForEvent)) change(key, renewed)
}

/** Changes the results of one query and subtracts removed ones from the total. */
function change(key: string, next: (matches: readonly SearchMatch[]) => SearchMatch[]): void {
  const found = answers.get(key)
  if (!found) return
  const { events, closest, total } = found.answer
  const left = next(events)
  const counted = total === TOTAL_MAX ? total : total - events.length + left.length
  const changed = { ...found, answer: { ...found.answer, events: left, total: counted, closest: next(closest) } }
  answers.set(key, changed)
  if (key === currentKey && $search.get() === found) $search.set(changed)
}
