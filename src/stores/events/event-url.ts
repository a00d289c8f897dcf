import { atom, computed } from 'nanostores'
import type { TagId } from '../../../contract/events/event-tags.ts'
import {
  updateEventsQuery,
  DEFAULT_FILTER,
  type EventsPageState,
  formatEventsQuery,
  type OpenEventRef,
  parseEventsQuery,
} from '../../domain/events/event-url.ts'
import type { EventFilter } from '../../domain/events/event-filter.ts'
import { toggleItem } from '../../domain/toggle-item.ts'
import { $videoSearchModal } from '../shell/search-dialog.ts'

/**
 * State in the URL of `/events`: filter, open event, synced playback and search. Other pages store only the search in
 * their URL.
 */
export const $eventUrl = atom<EventsPageState>({ filter: DEFAULT_FILTER, open: null })

/** Id of the camera whose clip is open; '' if none is open (STORE-15). */
export const $openCamera = computed($eventUrl, ({ open }) => open?.deviceId ?? '')

/** Id of the open event; '' if none is open. */
export const $openEventId = computed($eventUrl, ({ open }) => open?.eventId ?? '')

/** Filter without the rest of the URL state, so that opening a clip does not notify its subscribers. */
export const $eventFilter = computed($eventUrl, ({ filter }) => filter)

export const $isClipOpen = computed($eventUrl, ({ open }) => open !== null)

/** Time at which synced playback starts, ms UTC; null while synced playback is closed. */
export const $syncedMoment = computed($eventUrl, ({ moment }) => moment ?? null)

$eventUrl.subscribe(({ search }) => $videoSearchModal.set(search !== undefined))

/** `pushed`: this page pushed the history entry, for example to open a clip. Closing the clip can then go back. */
interface HistoryEntryState {
  readonly pushed?: boolean
}

/** Reads the URL. An unchanged filter stays the same object, so that its subscribers do no work when a clip closes. */
function readEventUrl(): void {
  const urlState = parseEventsQuery(location.search)
  const { filter } = $eventUrl.get()
  const isSameFilter = JSON.stringify(filter) === JSON.stringify(urlState.filter)
  $eventUrl.set(isSameFilter ? { ...urlState, filter } : urlState)
}

let subscriberCount = 0

/** Syncs the store with the address bar while at least one caller subscribes. Returns an unsubscribe function. */
export function syncEventUrl(): () => void {
  if (subscriberCount++ === 0) {
    readEventUrl()
    window.addEventListener('popstate', readEventUrl)
  }
  return () => {
    if (--subscriberCount === 0) window.removeEventListener('popstate', readEventUrl)
  }
}

/**
 * True if this page lists events (src/domain/navigation/pages.ts). Such a page keeps the filter in its URL and opens
 * clips without leaving the page.
 */
export const isEventListPage = (): boolean => location.pathname.includes('/events')

/** Returns the URL of /events with this filter and the event's clip open. */
export function formatFilteredEventHref(filter: EventFilter, open: OpenEventRef): string {
  return `/events${formatEventsQuery({ filter, open })}`
}

/**
 * Changes the filter. Pushes a history entry only if `push` is true, the URL changes, and no clip or search is open,
 * because Back must close an open clip or search.
 */
export function changeFilter(change: Partial<EventFilter>, push = true): void {
  const urlState = $eventUrl.get()
  const changed = { ...urlState, filter: { ...urlState.filter, ...change } }
  const href = toHref(changed)
  if (!push || urlState.open || urlState.search !== undefined || href === toHref(urlState))
    return navigateToEventUrl(changed, false)
  history.pushState({}, '', href)
  $eventUrl.set(changed)
}

/** Adds the tag to the filter, or removes it. */
export const toggleTag = (id: TagId): void => changeFilter({ tags: toggleItem($eventFilter.get().tags, id) })

/** Adds the camera to the filter, or removes it. */
export const toggleCamera = (deviceId: string): void =>
  changeFilter({ cameras: toggleItem($eventFilter.get().cameras, deviceId) })

/** Adds the person to the filter, or removes them. */
export const togglePerson = (name: string): void =>
  changeFilter({ people: toggleItem($eventFilter.get().people, name) })

const toHref = (urlState: EventsPageState) => `${location.pathname}${updateEventsQuery(location.search, urlState)}`

/** Replaces the previous name of a renamed person in the filter, so that the person stays selected. */
export function renameSelectedPerson(previousName: string, newName: string): void {
  const { people } = $eventUrl.get().filter
  if (!people.includes(previousName)) return
  changeFilter({ people: [...new Set(people.map((name) => (name === previousName ? newName : name)))] }, false)
}

/** Shows the event's clip before the page renders it. Returns a promise of the moment to render it; null: now. */
type StartClip = (eventId: string) => Promise<void> | null

let startClip: StartClip = () => null

/** Sets how `openEvent` starts a clip. The code for this loads later than this module. */
export function setClipStart(start: StartClip): void {
  startClip = start
}

/**
 * Opens an event's clip. Pushes a history entry if no clip was open, otherwise replaces the current one. The store may
 * change later than the URL, because rendering would delay the first frame.
 */
export function openEvent(open: OpenEventRef): void {
  const urlState = { filter: $eventUrl.get().filter, open }
  // The store does not know a clip that the page has not rendered yet, for example at the second click of a double click.
  const isFirst = parseEventsQuery(location.search).open === null
  const started = startClip(open.eventId)
  if (!started) return navigateToEventUrl(urlState, isFirst)
  writeHistory(urlState, isFirst)
  const { search } = location
  // Another navigation may have changed the URL meanwhile.
  void started.then(() => (location.search === search ? $eventUrl.set(urlState) : readEventUrl()))
}

/** Closes the clip without adding a history entry, so that Back does not reopen the clip. */
export function closeEvent(): void {
  if ((history.state as HistoryEntryState | null)?.pushed) return history.back()
  navigateToEventUrl({ filter: $eventUrl.get().filter, open: null }, false)
}

export function openSearch(): void {
  navigateToEventUrl({ filter: $eventUrl.get().filter, open: null, search: '' }, true)
}

/** Navigates to a URL of this page. Adds a history entry if `push` is true, otherwise replaces the current one. */
export function navigateToEventUrl(urlState: EventsPageState, push: boolean): void {
  writeHistory(urlState, push)
  $eventUrl.set(urlState)
}

function writeHistory(urlState: EventsPageState, push: boolean): void {
  const href = toHref(urlState)
  if (push) history.pushState({ pushed: true } satisfies HistoryEntryState, '', href)
  else history.replaceState(history.state, '', href)
}
