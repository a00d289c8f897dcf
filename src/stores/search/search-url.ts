import type { SearchMatch } from '../../../contract/search/search-calls.ts'
import { DEFAULT_FILTER, type EventsPageState } from '../../domain/events/event-url.ts'
import { DEFAULT_SORT, type SearchSort } from '../../domain/search/search-request.ts'
import { $eventUrl, formatFilteredEventHref, navigateToEventUrl, isEventListPage } from '../events/event-url.ts'
import { $searchSettings, changeSearchSettings } from './search-settings.ts'

interface HistoryEntryState {
  readonly pushed?: boolean
  /** Number of history entries from this one back to the page without the dialog; 0 if a link opened the search. */
  readonly steps?: number
  /** Result that the user opened from this history entry, and the scroll offset of the results in CSS pixels. */
  readonly left?: { readonly eventId: string; readonly top: number } | null
}

const readHistoryEntry = (): HistoryEntryState => (history.state as HistoryEntryState | null) ?? {}
const countStepsBack = () => readHistoryEntry().steps ?? (readHistoryEntry().pushed ? 1 : 0)
const updateHistoryEntry = (change: HistoryEntryState) => history.replaceState({ ...readHistoryEntry(), ...change }, '')

/**
 * Writes a query to the URL. The first query replaces the history entry of the empty dialog; each later query adds an
 * entry.
 */
export function submitQuery(query: string): void {
  const { filter, search, asWritten } = $eventUrl.get()
  changeSearchSettings({ query, showAll: false })
  if (search === query && !asWritten) return
  navigateToSearch({ filter, open: null, search: query })
}

/** Repeats the search without spelling correction. */
export function searchWithoutCorrection(): void {
  const { filter, search = '' } = $eventUrl.get()
  changeSearchSettings({ showAll: false })
  navigateToSearch({ filter, open: null, search, asWritten: true })
}

function navigateToSearch(urlState: EventsPageState): void {
  const { sort } = $searchSettings.get()
  const stepsBefore = countStepsBack()
  const addsEntry = $eventUrl.get().search !== ''
  navigateToEventUrl({ ...urlState, ...(sort !== DEFAULT_SORT && { sort }) }, addsEntry)
  if (addsEntry) updateHistoryEntry({ steps: stepsBefore === 0 ? 0 : stepsBefore + 1 })
}

export function setSearchSort(choice: SearchSort): void {
  const { sort: _, ...address } = $eventUrl.get()
  changeSearchSettings({ sort: choice })
  navigateToEventUrl({ ...address, ...(choice !== DEFAULT_SORT && { sort: choice }) }, false)
}

/**
 * Closes the dialog without adding a history entry, so that Back does not reopen the dialog. Pages with an event list
 * keep the filter.
 */
export function closeSearch(): void {
  const count = countStepsBack()
  if (count > 0) return history.go(-count)
  navigateToEventUrl({ filter: isEventListPage() ? $eventUrl.get().filter : DEFAULT_FILTER, open: null }, false)
}

const toOpenEvent = ({ event, at_s }: SearchMatch) => ({
  eventId: event.event_id,
  deviceId: event.device_id,
  at: Math.floor(at_s * 10) / 10,
})

/** Returns the URL of a result's clip at the matching second. */
export function formatMatchHref(match: SearchMatch): string {
  return formatFilteredEventHref($eventUrl.get().filter, toOpenEvent(match))
}

/** Opens the clip of a result. Back returns to the results at their scroll offset `top`, CSS pixels. */
export function openSearchMatch(match: SearchMatch, top: number): void {
  updateHistoryEntry({ left: { eventId: match.event.event_id, top } })
  if (!isEventListPage()) return location.assign(formatMatchHref(match))
  navigateToEventUrl({ filter: $eventUrl.get().filter, open: toOpenEvent(match) }, true)
}

/**
 * Returns the result that the user opened from this history entry, and the scroll offset of the results. Further calls
 * return null.
 */
export function consumeOpenedMatch(): NonNullable<HistoryEntryState['left']> | null {
  const { left = null } = readHistoryEntry()
  if (left) updateHistoryEntry({ left: null })
  return left
}
