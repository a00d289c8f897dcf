import type { Match } from '../../../contract/search/search-calls.ts'
import { DEFAULT_FILTER, type EventAddress } from '../../domain/events/event-url.ts'
import { DEFAULT_SORT, type Sort } from '../../domain/search/search-request.ts'
import { $address, eventHref, go, hasList } from '../events/event-url.ts'
import { $searchSettings, changeSettings } from './search-settings.ts'

/** What the search keeps with a history entry. */
interface Entry {
  readonly pushed?: boolean
  /** How many entries lie between this one and the page without the dialog; 0: a link led here. */
  readonly steps?: number
  /** The result that was opened from here, and how far the results were scrolled, CSS pixels. */
  readonly left?: { readonly eventId: string; readonly top: number } | null
}

const entry = (): Entry => (history.state as Entry | null) ?? {}
const steps = () => entry().steps ?? (entry().pushed ? 1 : 0)
const updateEntry = (change: Entry) => history.replaceState({ ...entry(), ...change }, '')

/** Puts a question into the address: the first one in the place of the empty dialog, each further one in an entry of its own. */
export function submitQuery(query: string): void {
  const { filter, search, asWritten } = $address.get()
  changeSettings({ query, showAll: false })
  if (search === query && !asWritten) return
  navigateToSearch({ filter, open: null, search: query })
}

/** Asks the same without taking any of its words for a slip of another. */
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

/** Closes the dialog; Back leads no more to it. Its filter stays where a list is narrowed by it. */
export function closeSearch(): void {
  const count = steps()
  if (count > 0) return history.go(-count)
  go({ filter: hasList() ? $address.get().filter : DEFAULT_FILTER, open: null }, false)
}

const toOpenEvent = ({ event, at_s }: Match) => ({
  eventId: event.event_id,
  deviceId: event.device_id,
  at: Math.floor(at_s * 10) / 10,
})

/** Where the link of a result leads: its clip, at the second that matched. */
export function matchHref(match: Match): string {
  return eventHref($address.get(), toOpenEvent(match))
}

/** Opens the clip of a result. Back leads to the results again, at the place where they stood, `top` CSS pixels down. */
export function openMatch(match: Match, top: number): void {
  updateEntry({ left: { eventId: match.event.event_id, top } })
  if (!hasList()) return location.assign(matchHref(match))
  go({ filter: $address.get().filter, open: toOpenEvent(match) }, true)
}

/** The result that was opened from this history entry, and where the results stood then; null once it was told. */
export function consumeOpenedMatch(): NonNullable<Entry['left']> | null {
  const { left = null } = entry()
  if (left) updateEntry({ left: null })
  return left
}
