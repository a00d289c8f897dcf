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

/** State in the URL of `/events`: filter, open event and search. The URLs of other pages can also hold the search. */
export const $address = atom<EventAddress>({ filter: DEFAULT_FILTER, open: null })

/** Camera whose clip is open; '' if none is open (STORE-15). */
export const $openCamera = computed($address, ({ open }) => open?.deviceId ?? '')

/** The filter alone: its subscribers are not notified when a clip opens. */
export const $eventFilter = computed($address, ({ filter }) => filter)

export const $isClipOpen = computed($address, ({ open }) => open !== null)

/** Moment of synced playback, ms UTC; null while it is closed. */
export const $moment = computed($address, ({ moment }) => moment ?? null)

$address.subscribe(({ search }) => $videoSearchModal.set(search !== undefined))

/** `pushed` marks a history entry that this page pushed, for example to open a clip, so that closing can go back. */
interface Entry {
  readonly pushed?: boolean
}

const read = () => $address.set(parseEventAddress(location.search))
let followers = 0

/** Syncs the store with the address bar while at least one caller subscribes. Returns an unsubscribe function. */
export function syncWithUrl(): () => void {
  if (followers++ === 0) {
    read()
    window.addEventListener('popstate', read)
  }
  return () => {
    if (--followers === 0) window.removeEventListener('popstate', read)
  }
}

/**
 * True if this page lists events (src/domain/navigation/pages.ts). Such a page keeps the filter in its URL and opens
 * clips without leaving the page.
 */
export const hasList = (): boolean => location.pathname.includes('/events')

/** Returns the URL of /events with the filter of `address` and the event's clip open. */
export function formatFilteredEventHref(address: EventAddress, open: OpenEvent): string {
  return `/events${formatEventAddress({ ...address, open })}`
}

/**
 * Changes the filter. Pushes a history entry, unless a clip or search is open (which Back closes) or `push` is false.
 */
export function changeFilter(change: Partial<EventFilter>, push = true): void {
  const address = $address.get()
  const changed = { ...address, filter: { ...address.filter, ...change } }
  if (!push || address.open || address.search !== undefined || toHref(changed) === toHref(address))
    return go(changed, false)
  history.pushState({}, '', toHref(changed))
  $address.set(changed)
}

const toHref = (address: EventAddress) => `${location.pathname}${changedQuery(location.search, address)}`

/** Keeps a renamed person selected in the filter. */
export function renameChosen(before: string, after: string): void {
  const { people } = $address.get().filter
  if (!people.includes(before)) return
  changeFilter({ people: [...new Set(people.map((name) => (name === before ? after : name)))] }, false)
}

/** Opens an event's clip. Pushes a history entry if no clip was open, otherwise replaces the current one. */
export function openEvent(open: OpenEvent): void {
  const { filter, open: before } = $address.get()
  go({ filter, open }, before === null)
}

/** Closes the clip, so that Back does not reopen it. */
export function closeEvent(): void {
  if ((history.state as Entry | null)?.pushed) return history.back()
  go({ filter: $address.get().filter, open: null }, false)
}

export function openSearch(): void {
  go({ filter: $address.get().filter, open: null, search: '' }, true)
}

/** Navigates to a URL of this page; adds a history entry if `push`, otherwise replaces the current one. */
export function go(address: EventAddress, push: boolean): void {
  const href = toHref(address)
  if (push) history.pushState({ pushed: true } satisfies Entry, '', href)
  else history.replaceState(history.state, '', href)
  $address.set(address)
}
