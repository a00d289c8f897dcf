import { atom, computed } from 'nanostores'
import type { Event } from '../../../contract/events/events.ts'
import { type Span, toSpan } from '../../domain/time/date-range.ts'
import { formatEventAddress, resolveRange } from '../../domain/events/event-url.ts'
import { mergeEvents } from '../../domain/events/event-list.ts'
import {
  type CameraClips,
  clipsByCamera,
  sharedSpans,
  spanAround,
  spanToAsk,
  timedClips,
} from '../../domain/events/synced-playback.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'
import { loadDevices } from '../home/devices.ts'
import { loadEventClip } from './open-clip.ts'
import { $address, go } from './event-url.ts'
import { $eventCameras } from './event-cameras.ts'
import { loadSpan } from './load-event-span.ts'
import { $events, fetchEvents } from './events.ts'

/** Clips of all cameras around the moment `at`, ms UTC. `cameras` is empty if none recorded at that time. */
export type SyncedPlaybackState =
  | { readonly state: 'none' }
  | { readonly state: 'loading'; readonly at: number }
  | {
      readonly state: 'ready'
      readonly at: number
      readonly span: Span
      readonly cameras: readonly CameraClips[]
      /** All known events around that moment. */
      readonly events: readonly Event[]
    }
  | { readonly state: 'failed'; readonly at: number; readonly failure: Failure }

export const $sameTime = atom<SyncedPlaybackState>({ state: 'none' })

/**
 * Playback source of a clip. `missing`: `text` gives the reason as a sentence. `$clipsFrom` holds the sources by event
 * id.
 */
export type ClipFrom =
  | { readonly state: 'ready'; readonly url: string; readonly mime: string }
  | { readonly state: 'missing'; readonly text: string }
export const $clipsFrom = atom<ReadonlyMap<string, ClipFrom>>(new Map())

/** Event of the clip named in the URL; null if no clip is open or the event is not loaded here. */
export const $openedEvent = computed([$sameTime, $address], (same, { open }) =>
  same.state === 'ready' ? (same.events.find(({ event_id }) => event_id === open?.eventId) ?? null) : null,
)

/** Time spans in which more than one camera recorded, as far as events are loaded. */
export const $sharedSpans = computed([$sameTime, $events], (same, list) => {
  if (same.state !== 'ready') return []
  const listed = list.state === 'ready' ? list.events : []
  return sharedSpans(timedClips(mergeEvents(listed, same.events)))
})

const TROUBLE = 'What the cameras recorded then did not load.'

let turn = 0

/** Loads the clips around the moment named in the URL. Returns a function that stops the sync. */
export function syncPlaybackWithUrl(): () => void {
  const stop = $address.subscribe(({ moment }) => {
    const same = $sameTime.get()
    if (moment === undefined) leave()
    else if (same.state === 'none' || same.at !== moment) void load(moment)
  })
  return () => {
    stop()
    leave()
  }
}

/**
 * Opens synced playback at a moment (ms UTC). Back returns to the previous view; changing the moment adds no history
 * entry.
 */
export function openMoment(at: number): void {
  const { filter, open, moment } = $address.get()
  go({ filter, open, moment: Math.round(at) }, moment === undefined)
}

/** Returns to the clip or list from which the moment was picked. */
export function closeMoment(): void {
  if ((history.state as { pushed?: boolean } | null)?.pushed) return history.back()
  const { filter, open } = $address.get()
  go({ filter, open }, false)
}

/** Stores the playback position in the URL, for reloads and sharing. */
export function saveMomentInUrl(at: number): void {
  const { moment, ...address } = $address.get()
  if (moment === undefined) return
  history.replaceState(history.state, '', `${location.pathname}${formatEventAddress({ ...address, moment: at })}`)
}

export function retrySameTime(): void {
  const { moment } = $address.get()
  if (moment !== undefined) void load(moment)
}

/** Fetches a new playback URL for an event's clip, because URLs expire after a few minutes. */
export async function findAgain(event: Event): Promise<void> {
  await findFrom(event, turn)
}

function leave(): void {
  turn += 1
  $sameTime.set({ state: 'none' })
  $clipsFrom.set(new Map())
}

async function load(at: number): Promise<void> {
  const mine = ++turn
  const span = spanAround(at)
  $sameTime.set({ state: 'loading', at })
  $clipsFrom.set(new Map())
  const ask = spanToAsk(span)
  // Loads the cameras first, because their order determines the order of the videos.
  if ($eventCameras.get().length === 0) await loadDevices()
  const listedEvents = listed(ask)
  const answer = listedEvents
    ? ({ ok: true, data: listedEvents } as const)
    : await withFailureShown('place', fetchSpanEvents(ask), TROUBLE)
  if (mine !== turn) return
  if (!answer.ok) return $sameTime.set({ state: 'failed', at, failure: answer })
  const cameras = clipsByCamera(answer.data, span, {
    at,
    opened: $address.get().open?.eventId ?? '',
    order: $eventCameras.get().map(({ device_id }) => device_id),
  })
  $sameTime.set({ state: 'ready', at, span, cameras, events: answer.data })
  for (const { clips } of cameras) for (const { event } of clips) void findFrom(event, mine)
}

async function fetchSpanEvents(span: Span) {
  const loaded = await loadSpan(fetchEvents, span)
  return loaded.ok ? ({ ok: true, data: loaded.events } as const) : loaded
}

/** Returns the events of a span, or null if the page's list does not hold all of them. */
function listed(span: Span): Event[] | null {
  const list = $events.get()
  if (list.state !== 'ready' || list.filling || list.shortfall) return null
  const whole = toSpan(resolveRange($address.get().filter, Date.now()))
  if (span.begin < whole.begin || Math.min(span.end, Date.now()) > whole.end) return null
  return list.events.filter(({ event_ts }) => event_ts >= span.begin && event_ts <= span.end)
}

async function findFrom(event: Event, mine: number): Promise<void> {
  const clip = await loadEventClip(event)
  if (mine !== turn) return
  const from: ClipFrom =
    clip.state === 'ready'
      ? { state: 'ready', url: clip.url, mime: clip.mime }
      : { state: 'missing', text: problemText(clip) }
  $clipsFrom.set(new Map([...$clipsFrom.get(), [event.event_id, from]]))
}

function problemText(clip: Awaited<ReturnType<typeof loadEventClip>>): string {
  if (clip.state === 'failed') return clip.failure.text
  return clip.state === 'missing' ? clip.text : ''
}
