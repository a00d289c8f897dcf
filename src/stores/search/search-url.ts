import type { SearchMatch } from '../../../contract/search/search-calls.ts'
import { DEFAULT_FILTER, type EventAddress } from '../../domain/events/event-url.ts'
import { DEFAULT_SORT, type Sort } from '../../domain/search/search-request.ts'
import { $address, formatFilteredEventHref, go, hasList } from '../events/event-url.ts'
import { $searchSettings, changeSettings } from './search-settings.ts'

interface Entry {
  readonly pushed?: boolean
  /** Number of history entries from this one back to the page without the dialog; 0 if a link opened the search. */
  readonly steps?: number
  /** Result that was opened from this history entry, and the scroll offset of the results, CSS pixels. */
  readonly left?: { readonly eventId: string; readonly top: number } | null
}

const entry = (): Entry => (history.state as Entry | null) ?? {}
const steps = () => entry().steps ?? (entry().pushed ? 1 : 0)
const updateEntry = (change: Entry) => history.replaceState({ ...entry(), ...change }, '')

/**
 * Writes a query to the URL. The first query replaces the history entry of the empty dialog; each further query adds an
 * entry.
 */
export function submitQuery(query: string): void {
  const { filter, search, asWritten } = $address.get()
  changeSettings({ query, showAll: false })
  if (search === query && !asWritten) return
  navigateToSearch({ filter, open: null, search: query })
}

/** Repeats the search without spelling correction. */
export function searchAsWritten(): void {
  const { filter, search = '' } = $address.get()
  changeSettings({ showAll: false })
  navigateToSearch({ filter, open: null, search, asWritten: true })
}

function navigateToSearch(address: EventAddress): void {
  const { sort } = $searchSettings.get()
  const before = steps()
  const isNext = $address.get().search !== ''
  go({ ...address, ...(sort !== DEFAULT_SORT && { sort }) }, isNext)
  if (isNext) updateEntry({ steps: before === 0 ? 0 : before + 1 })
}

export function chooseSort(choice: Sort): void {
  const { sort: _, ...address } = $address.get()
  changeSettings({ sort: choice })
  go({ ...address, ...(choice !== DEFAULT_SORT && { sort: choice }) }, false)
}

/** Closes the dialog, so that Back does not reopen it. Pages with an event list keep the filter. */
export function closeSearch(): void {
  const count = steps()
  if (count > 0) return history.go(-count)
  go({ filter: hasList() ? $address.get().filter : DEFAULT_FILTER, open: null }, false)
}

const toOpenEvent = ({ event, at_s }: SearchMatch) => ({
  eventId: event.event_id,
  deviceId: event.device_id,
  at: Math.floor(at_s * 10) / 10,
})

/** Returns the URL of a result's clip at the matching second. */
export function matchHref(match: SearchMatch): string {
  return formatFilteredEventHref($address.get(), toOpenEvent(match))
}

/** Opens the clip of a result. Back returns to the results at their scroll offset `top`, CSS pixels. */
export function openMatch(match: SearchMatch, top: number): void {
  updateEntry({ left: { eventId: match.event.event_id, top } })
  if (!hasList()) return location.assign(matchHref(match))
  go({ filter: $address.get().filter, open: toOpenEvent(match) }, true)
}

/**
 * Returns the result opened from this history entry and the scroll offset of the results; null after the first call.
 */
export function consumeOpenedMatch(): NonNullable<Entry['left']> | null {
  const { left = null } = entry()
  if (left) updateEntry({ left: null })
  return left
}
