import { atom, computed } from 'nanostores'
import {
  changedQuery,
  DEFAULT_FILTER,
  type EventAddress,
  formatEventAddress,
  type OpenEvent,
  parseEventAddress,
} from '../../domain/events/event-url.ts'
import type { EventFilter } from '../../domain/events/event-filter.ts'
import { $videoSearchModal } from '../shell/search-dialog.ts'

/** What the address of `/events` says: the filter, the open event and the search, which other pages have in theirs too. */
export const $address = atom<EventAddress>({ filter: DEFAULT_FILTER, open: null })

/** The camera whose clip is open, '' while there is none (STORE-15). */
export const $openCamera = computed($address, ({ open }) => open?.deviceId ?? '')

/** The filter alone: who follows it is not told of clips that open. */
export const $filter = computed($address, ({ filter }) => filter)

/** Whether a clip is open. */
export const $isClipOpen = computed($address, ({ open }) => open !== null)

/** The moment, ms UTC, that all cameras are looked at; null while none is. */
export const $moment = computed($address, ({ moment }) => moment ?? null)

$address.subscribe(({ search }) => $videoSearchModal.set(search !== undefined))

/** Marks a history entry that this page pushed when it opened a clip, so that closing goes back to where it was. */
interface Entry {
  readonly pushed?: boolean
}

const read = () => $address.set(parseEventAddress(location.search))
let followers = 0

/** Follows the address bar from now on, as long as anybody wants it. Ends with the returned function. */
export function syncWithUrl(): () => void {
  if (followers++ === 0) {
    read()
    window.addEventListener('popstate', read)
  }
  return () => {
    if (--followers === 0) window.removeEventListener('popstate', read)
  }
}

/** Whether this page lists events (src/domain/navigation/pages.ts): the filter stays in its address, and clips open on it. */
export const hasList = (): boolean => location.pathname.includes('/events')

/** Where the link of an event leads: this page, as filtered, with its clip open. */
export function eventHref(address: EventAddress, open: OpenEvent): string {
  return `/events${formatEventAddress({ ...address, open })}`
}

/** Narrows or widens the list. Back leads to the former filter, unless a clip or a search is open, which Back closes, or `push` is false. */
export function changeFilter(change: Partial<EventFilter>, push = true): void {
  const address = $address.get()
  const changed = { ...address, filter: { ...address.filter, ...change } }
  if (!push || address.open || address.search !== undefined || toHref(changed) === toHref(address))
    return go(changed, false)
  history.pushState({}, '', toHref(changed))
  $address.set(changed)
}

const toHref = (address: EventAddress) => `${location.pathname}${changedQuery(location.search, address)}`

/** Keeps the clips of a chosen person whose name changes. */
export function renameChosen(before: string, after: string): void {
  const { people } = $address.get().filter
  if (!people.includes(before)) return
  changeFilter({ people: [...new Set(people.map((name) => (name === before ? after : name)))] }, false)
}

/** Opens an event's clip: a new history entry when none was open, else in the place of the other. */
export function openEvent(open: OpenEvent): void {
  const { filter, open: before } = $address.get()
  go({ filter, open }, before === null)
}

/** Closes the clip; Back leads no more to it. */
export function closeEvent(): void {
  if ((history.state as Entry | null)?.pushed) return history.back()
  go({ filter: $address.get().filter, open: null }, false)
}

/** Opens the search dialog, with nothing asked yet. */
export function openSearch(): void {
  go({ filter: $address.get().filter, open: null, search: '' }, true)
}

/** Leads to an address of this page, in a history entry of its own when `push`. */
export function go(address: EventAddress, push: boolean): void {
  const href = toHref(address)
  if (push) history.pushState({ pushed: true } satisfies Entry, '', href)
  else history.replaceState(history.state, '', href)
  $address.set(address)
}
