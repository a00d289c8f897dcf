import type { Match } from '../../../contract/search.ts'
import { DEFAULT_FILTER } from '../../domain/event-address.ts'
import type { EventFilter } from '../../domain/event-filter.ts'
import { DEFAULT_SORT, type Sort } from '../../domain/search.ts'
import { dayNamedIn } from '../../domain/search-days.ts'
import { $address, eventHref, go } from '../events/event-address.ts'
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
const keep = (change: Entry) => history.replaceState({ ...entry(), ...change }, '')

/**
 * Puts a question into the address: the first one in the place of the empty dialog, each further one in an entry of its own.
 * A day that it names in words is chosen with it.
 */
export function askFor(query: string): void {
  const { filter: chosen, search } = $address.get()
  const filter = { ...chosen, range: dayNamedIn(query, Date.now()) ?? rangeWithout(search, chosen) }
  const { sort } = $searchSettings.get()
  changeSettings({ query, showAll: false })
  if (search === query) return
  const before = steps()
  const isNext = search !== ''
  go({ filter, open: null, search: query, ...(sort !== DEFAULT_SORT && { sort }) }, isNext)
  if (isNext) keep({ steps: before === 0 ? 0 : before + 1 })
}

/** The chosen days; those that only the former question named are let go with it. */
function rangeWithout(former: string | undefined, { range }: EventFilter): EventFilter['range'] {
  const named = dayNamedIn(former ?? '', Date.now())
  const isNamed = named !== null && typeof range === 'object' && range.start === named.start && range.end === named.end
  return isNamed ? DEFAULT_FILTER.range : range
}

export function chooseSort(choice: Sort): void {
  const { sort: _, ...address } = $address.get()
  changeSettings({ sort: choice })
  go({ ...address, ...(choice !== DEFAULT_SORT && { sort: choice }) }, false)
}

/** Closes the dialog; Back leads no more to it. */
export function closeSearch(): void {
  const count = steps()
  if (count > 0) return history.go(-count)
  go({ filter: $address.get().filter, open: null }, false)
}

const momentOf = ({ event, at_s }: Match) => ({
  eventId: event.event_id,
  deviceId: event.device_id,
  at: Math.floor(at_s * 10) / 10,
})

/** Where the link of a result leads: its clip, at the second that matched. */
export function matchHref(match: Match): string {
  return eventHref($address.get(), momentOf(match))
}

/** Opens the clip of a result. Back leads to the results again, at the place where they stood, `top` CSS pixels down. */
export function openMatch(match: Match, top: number): void {
  keep({ left: { eventId: match.event.event_id, top } })
  go({ filter: $address.get().filter, open: momentOf(match) }, true)
}

/** The result that was opened from this history entry, and where the results stood then; null once it was told. */
export function takeLeft(): NonNullable<Entry['left']> | null {
  const { left = null } = entry()
  if (left) keep({ left: null })
  return left
}
