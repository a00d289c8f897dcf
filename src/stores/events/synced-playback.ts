import { atom, computed } from 'nanostores'
import type { Event } from '../../../contract/events/events.ts'
import { type Span, toSpan } from '../../domain/time/date-range.ts'
import { formatEventsQuery, resolveRange } from '../../domain/events/event-url.ts'
import { mergeEvents } from '../../domain/events/event-list.ts'
import {
  type CameraClips,
  groupClipsByCamera,
  findSharedSpans,
  getStripSpan,
  getQuerySpan,
  listTimedClips,
} from '../../domain/events/synced-playback.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'
import { loadDevices } from '../home/devices.ts'
import { loadEventClip } from './open-clip.ts'
import { $eventUrl, navigateToEventUrl } from './event-url.ts'
import { $eventCameras } from './event-cameras.ts'
import { loadSpan } from './load-event-span.ts'
import { $events, fetchEvents } from './events.ts'

/** Clips of all cameras around the moment `at` (ms UTC). `cameras` is empty if no clip overlaps `span`. */
export type SyncedPlaybackState =
  | { readonly state: 'none' }
  | { readonly state: 'loading'; readonly at: number }
  | {
      readonly state: 'ready'
      readonly at: number
      readonly span: Span
      readonly cameras: readonly CameraClips[]
      /** Events up to 4 minutes before and after `at`. */
      readonly events: readonly Event[]
    }
  | { readonly state: 'failed'; readonly at: number; readonly failure: Failure }

export const $syncedPlayback = atom<SyncedPlaybackState>({ state: 'none' })

/**
 * Playback source of a clip. `missing`: there is no clip, or it did not load; `text` is a sentence with the reason.
 * `$clipSources` holds the sources by event id.
 */
export type ClipSource =
  | { readonly state: 'ready'; readonly url: string; readonly mime: string }
  | { readonly state: 'missing'; readonly text: string }
export const $clipSources = atom<ReadonlyMap<string, ClipSource>>(new Map())

/** Event of the clip that the URL names. Null if no clip is open, or if synced playback has not loaded the event. */
export const $openedEvent = computed([$syncedPlayback, $eventUrl], (playback, { open }) =>
  playback.state === 'ready' ? (playback.events.find(({ event_id }) => event_id === open?.eventId) ?? null) : null,
)

/** Time spans in which more than one camera recorded, according to the loaded events. */
export const $sharedSpans = computed([$syncedPlayback, $events], (playback, list) => {
  if (playback.state !== 'ready') return []
  const listed = list.state === 'ready' ? list.events : []
  return findSharedSpans(listTimedClips(mergeEvents(listed, playback.events)))
})

const LOAD_FAILED_TEXT = 'We couldn’t load the clips.'

let latestLoad = 0

/** Loads the clips around the moment that the URL names. Returns a function that stops the sync. */
export function syncPlaybackWithUrl(): () => void {
  const stop = $eventUrl.subscribe(({ moment }) => {
    const playback = $syncedPlayback.get()
    if (moment === undefined) closePlayback()
    else if (playback.state === 'none' || playback.at !== moment) void loadMoment(moment)
  })
  return () => {
    stop()
    closePlayback()
  }
}

/**
 * Opens synced playback at a moment (ms UTC). Back returns to the previous view; changing the moment adds no history
 * entry.
 */
export function openSyncedMoment(at: number): void {
  const { filter, open, moment } = $eventUrl.get()
  navigateToEventUrl({ filter, open, moment: Math.round(at) }, moment === undefined)
}

/**
 * Returns to the clip or list from which the user opened synced playback. If a link opened synced playback, shows the
 * clip or list of the URL.
 */
export function closeSyncedPlayback(): void {
  if ((history.state as { pushed?: boolean } | null)?.pushed) return history.back()
  const { filter, open } = $eventUrl.get()
  navigateToEventUrl({ filter, open }, false)
}

/** Stores the playback position in the URL, for reloads and sharing. */
export function saveMomentInUrl(at: number): void {
  const { moment, ...address } = $eventUrl.get()
  if (moment === undefined) return
  history.replaceState(history.state, '', `${location.pathname}${formatEventsQuery({ ...address, moment: at })}`)
}

export function retrySyncedPlayback(): void {
  const { moment } = $eventUrl.get()
  if (moment !== undefined) void loadMoment(moment)
}

/** Fetches a new playback URL for an event's clip, because URLs expire after a few minutes. */
export async function refreshClipUrl(event: Event): Promise<void> {
  await loadClipSource(event, latestLoad)
}

function closePlayback(): void {
  latestLoad += 1
  $syncedPlayback.set({ state: 'none' })
  $clipSources.set(new Map())
}

async function loadMoment(at: number): Promise<void> {
  const loadNumber = ++latestLoad
  const span = getStripSpan(at)
  $syncedPlayback.set({ state: 'loading', at })
  $clipSources.set(new Map())
  const requestedSpan = getQuerySpan(span)
  // Loads the cameras first, because their order determines the order of the videos.
  if ($eventCameras.get().length === 0) await loadDevices()
  const listedEvents = listLoadedEvents(requestedSpan)
  const result = listedEvents
    ? ({ ok: true, data: listedEvents } as const)
    : await withFailureShown('place', fetchSpanEvents(requestedSpan), LOAD_FAILED_TEXT)
  if (loadNumber !== latestLoad) return
  if (!result.ok) return $syncedPlayback.set({ state: 'failed', at, failure: result })
  const cameras = groupClipsByCamera(result.data, span, {
    at,
    opened: $eventUrl.get().open?.eventId ?? '',
    order: $eventCameras.get().map(({ device_id }) => device_id),
  })
  $syncedPlayback.set({ state: 'ready', at, span, cameras, events: result.data })
  for (const { clips } of cameras) for (const { event } of clips) void loadClipSource(event, loadNumber)
}

async function fetchSpanEvents(span: Span) {
  const loaded = await loadSpan(fetchEvents, span)
  return loaded.ok ? ({ ok: true, data: loaded.events } as const) : loaded
}

/** Returns the events of a span, or null if the page's list does not hold all of them. */
function listLoadedEvents(span: Span): Event[] | null {
  const list = $events.get()
  if (list.state !== 'ready' || list.isFilling || list.shortfall) return null
  const listSpan = toSpan(resolveRange($eventUrl.get().filter, Date.now()))
  if (span.begin < listSpan.begin || Math.min(span.end, Date.now()) > listSpan.end) return null
  return list.events.filter(({ event_ts }) => event_ts >= span.begin && event_ts <= span.end)
}

async function loadClipSource(event: Event, loadNumber: number): Promise<void> {
  const clip = await loadEventClip(event)
  if (loadNumber !== latestLoad) return
  const source: ClipSource =
    clip.state === 'ready'
      ? { state: 'ready', url: clip.url, mime: clip.mime }
      : { state: 'missing', text: formatClipProblem(clip) }
  $clipSources.set(new Map([...$clipSources.get(), [event.event_id, source]]))
}

function formatClipProblem(clip: Awaited<ReturnType<typeof loadEventClip>>): string {
  if (clip.state === 'failed') return clip.failure.text
  return clip.state === 'missing' ? clip.text : ''
}
