import { atom, computed } from 'nanostores'
import { type Event, type EventResource } from '../../../contract/events/events.ts'
import { type DetectionTrack, parseDetections } from '../../../contract/events/detections.ts'
import { getEvent, replayArchive, replayLive } from '../../../contract/events/event-calls.ts'
import { request } from '../../api/api-client.ts'
import type { Result } from '../../api/result.ts'
import { getClip, getReplayResourceType } from '../../domain/events/event-recording.ts'
import type { OpenEventRef } from '../../domain/events/event-url.ts'
import { preloadClip, preloadPressedClip, releasePreloadedClip } from '../../media/clip/clip-video.ts'
import { requestSignedUrls } from '../../media/clip/signed-urls.ts'
import { $eventUrl, $syncedMoment, setClipStart } from './event-url.ts'
import { $eventCameras } from './event-cameras.ts'
import { onFeed } from '../home/feed.ts'
import { $events, MARK_DELAY_MS, markEventReviewed } from './events.ts'
import { loadEventsByIds } from './events-by-ids.ts'
import { type Failure, showFailure } from '../shell/report-failure.ts'

/** A clip with a URL. The URL of an uploading clip is valid for 5 minutes from the request. */
export interface ReadyClipState {
  readonly state: 'ready'
  readonly event: Event
  readonly url: string
  readonly mime: string
  /** True if the camera still records or uploads the clip, so more video follows. */
  readonly isIncomplete: boolean
  /** Detections in the clip and their positions; empty if unknown. */
  readonly found: readonly DetectionTrack[]
  /** True until the replay call responds. The video already loads meanwhile. */
  readonly isUnconfirmed?: boolean
  /** Failure of the replay call, which matters only if the video does not play either. */
  readonly failure?: Failure
  /** Number of the opening. A new opening loads the same URL again. */
  readonly opening?: number
}

/** Clip of the open event. `event` is null until the event of the URL is loaded. */
export type OpenClipState =
  | { readonly state: 'none' }
  | { readonly state: 'loading'; readonly event: Event | null }
  | ReadyClipState
  /** Nothing to play; `text` is a sentence with the reason. */
  | { readonly state: 'missing'; readonly event: Event | null; readonly text: string }
  | { readonly state: 'failed'; readonly event: Event | null; readonly failure: Failure }

export const $clip = atom<OpenClipState>({ state: 'none' })

export const $currentEvent = computed($clip, (clip) => (clip.state === 'none' ? null : clip.event))

const NO_RECORDING_TEXT = 'No clip for this event.'
const CLIP_NOT_ARRIVED_TEXT = 'The clip is still uploading. It’ll play here when it’s ready.'
const NO_EVENT_TEXT = 'This event was deleted, or its camera isn’t shared with you.'
const CLIP_LOAD_FAILED_TEXT = 'We couldn’t load the clip.'

/** Time without pointing, scrolling and moving the focus, ms, so that passing over cards sends no requests. */
const REST_MS = 100

let latestOpening = 0

/**
 * Opens the clip that the URL names and marks its event as reviewed. During synced playback, no clip opens. Returns a
 * function that stops the sync.
 */
export function syncOpenEvent(): () => void {
  let currentId = ''
  const sync = () => {
    const open = $syncedMoment.get() === null ? $eventUrl.get().open : null
    if ((open?.eventId ?? '') === currentId) return
    currentId = open?.eventId ?? ''
    if (open) void openClip(open)
    else closeClip()
  }
  const stops = [
    $eventUrl.subscribe(sync),
    $events.listen(refreshEvent),
    onFeed(({ type }) => type === 'people' && void refreshPersonNames()),
  ]
  return () => {
    stops.forEach((stop) => stop())
    closeClip()
  }
}

export function retryClip(): void {
  const { open } = $eventUrl.get()
  if (open) void openClip(open)
}

/** Shows an event before the page renders it. Returns a promise of the moment to render it; null: now. */
type ShowEarly = (event: Event, video: HTMLVideoElement | null) => Promise<void> | null

/** Loads and shows the clip of a listed event before the page renders the opened event. */
export function startOpenedClips(showEarly: ShowEarly): void {
  setClipStart((eventId) => {
    const event = findListedEvent(eventId)
    if (!event || eventId === $currentEvent.get()?.event_id) return null
    const clip = createImmediateClip(event)
    return showEarly(event, clip && preloadPressedClip(clip.url))
  })
}

/**
 * Requests the signed URLs of the clips of all rendered cards, also of new ones when the pointer, the focus and the list
 * rest. Loads the clip of a card while the mouse button is down, before the click. Returns a function that stops this.
 */
export function preloadShownClips(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const waitForRest = () => {
    clearTimeout(timer)
    timer = setTimeout(requestShownUrls, REST_MS)
  }
  const onPress = ({ target, button, pointerType }: PointerEvent) => {
    const clip = pointerType === 'mouse' && button === 0 && findImmediateClip(findCardId(target))
    if (clip && clip.event.event_id !== $currentEvent.get()?.event_id) preloadPressedClip(clip.url)
  }
  const listeners = new AbortController()
  const options = { capture: true, passive: true, signal: listeners.signal }
  for (const type of ['pointerover', 'focusin', 'scroll']) document.addEventListener(type, waitForRest, options)
  document.addEventListener('pointerdown', onPress, options)
  requestShownUrls()
  return () => {
    clearTimeout(timer)
    listeners.abort()
  }
}

function requestShownUrls(): void {
  const list = $events.get()
  if (list.state !== 'ready') return
  const shownIds = new Set([...document.querySelectorAll('a[data-event]')].map(findCardId))
  const clips = list.events.filter(({ event_id }) => shownIds.has(event_id)).map(createImmediateClip)
  requestSignedUrls(clips.flatMap((clip) => (clip ? [clip.url] : [])))
}

const findCardId = (target: EventTarget | null): string =>
  (target instanceof Element && target.closest<HTMLElement>('a[data-event]')?.dataset['event']) || ''

function findImmediateClip(eventId: string): ReadyClipState | null {
  const event = eventId === '' ? undefined : findListedEvent(eventId)
  return event ? createImmediateClip(event) : null
}

function closeClip(): void {
  latestOpening += 1
  releasePreloadedClip()
  $clip.set({ state: 'none' })
}

async function openClip(open: OpenEventRef): Promise<void> {
  const openingNumber = ++latestOpening
  const listedEvent = findListedEvent(open.eventId)
  $clip.set({ state: 'loading', event: listedEvent ?? null })
  const found = listedEvent ? { ok: true as const, data: listedEvent } : await fetchUnlistedEvent(open)
  if (openingNumber !== latestOpening) return
  if (!found) return $clip.set({ state: 'missing', event: null, text: NO_EVENT_TEXT })
  if (!found.ok)
    return $clip.set({ state: 'failed', event: null, failure: showFailure('place', found, CLIP_LOAD_FAILED_TEXT) })
  const event = found.data
  const immediateClip = createImmediateClip(event)
  if (immediateClip) {
    preloadClip(immediateClip.url)
    $clip.set({ ...immediateClip, opening: openingNumber })
  } else if (!listedEvent) $clip.set({ state: 'loading', event })
  const clipPromise = loadEventClip(event)
  setTimeout(() => markEventReviewed(event), MARK_DELAY_MS)
  const clip = await clipPromise
  if (openingNumber !== latestOpening) return
  const playing = $clip.get()
  $clip.set(playing.state === 'ready' ? confirmClip(playing, clip) : clip)
}

/**
 * Returns the state of a stored clip that plays before the replay call responds. Returns null if only the replay call
 * returns a playable URL, or if there is no clip.
 */
function createImmediateClip(event: Event): ReadyClipState | null {
  const clip = getClip(event)
  if (!clip || getReplayResourceType(clip.resource) !== 's3') return null
  const url = `/m/clip/${event.event_id}`
  return { state: 'ready', event, url, mime: 'video/mp4', isIncomplete: false, found: [], isUnconfirmed: true }
}

/** Adds the result of the replay call to a clip that already plays. Replaces the clip only if it is not accessible. */
function confirmClip(playing: ReadyClipState, clip: OpenClipState): OpenClipState {
  if (clip.state === 'missing') return { ...clip, event: playing.event }
  const confirmed = { ...playing, isUnconfirmed: false }
  if (clip.state === 'failed') return { ...confirmed, failure: clip.failure }
  return clip.state === 'ready' ? { ...confirmed, found: clip.found } : confirmed
}

function findListedEvent(eventId: string): Event | undefined {
  const list = $events.get()
  return list.state === 'ready' ? list.events.find((event) => event.event_id === eventId) : undefined
}

/**
 * Fetches an event that the list lacks, by its id and, if `deviceId` is not '', by its camera. Returns null if the
 * event does not exist or is not accessible.
 */
async function fetchUnlistedEvent({ eventId, deviceId }: OpenEventRef): Promise<Result<Event> | null> {
  if (!deviceId) {
    const response = await loadEventsByIds([eventId])
    if (!response.ok) return response
    const [event] = response.data
    return event ? { ok: true, data: event } : null
  }
  const response = await request(getEvent, { event_id: eventId, device_id: deviceId })
  return !response.ok && isNotAccessible(response) ? null : response
}

/**
 * Requests the URL of an event's clip. Returns the state `ready`, `missing` with the reason if there is no clip to
 * play, or `failed` if the request fails.
 */
export async function loadEventClip(event: Event): Promise<OpenClipState> {
  const clip = getClip(event)
  const isIncomplete = !clip && event.clip_state === 'uploading'
  if (!clip && !isIncomplete) return { state: 'missing', event, text: NO_RECORDING_TEXT }
  const resource = clip?.resource ?? createIncompleteResource(event)
  const response = await request(isIncomplete ? replayLive : replayArchive, {
    device_id: event.device_id,
    product_model: $eventCameras.get().find(({ device_id }) => device_id === event.device_id)?.device_model ?? '',
    start_time: String(resource.begin_time),
    end_time: String(resource.end_time),
    resource_version: String(resource.resource_version),
    resource_type: getReplayResourceType(resource),
    is_live: String(isIncomplete) as 'true' | 'false',
  })
  if (response.ok) {
    const { replay_url: url, mime, found } = response.data
    return { state: 'ready', event, url, mime, isIncomplete, found: parseDetections(found) }
  }
  if (!isNotAccessible(response))
    return { state: 'failed', event, failure: showFailure('place', response, CLIP_LOAD_FAILED_TEXT) }
  return { state: 'missing', event, text: isIncomplete ? CLIP_NOT_ARRIVED_TEXT : NO_RECORDING_TEXT }
}

function createIncompleteResource({ event_ts }: Event): EventResource {
  return { begin_time: event_ts, end_time: Date.now(), resource_version: 1, resource_type: 's3' }
}

function isNotAccessible({ code, status }: { code: string; status: number }): boolean {
  return code === '404' || status === 404 || status === 403
}

/** Applies feed changes to the open event, for example a reviewed mark from another page or an arrived clip. */
function refreshEvent(): void {
  const clip = $clip.get()
  if (clip.state === 'none' || !clip.event) return
  const event = findListedEvent(clip.event.event_id)
  if (!event || event === clip.event) return
  const hasClipArrived = clip.state === 'missing' && getClip(event) !== null
  $clip.set({ ...clip, event })
  if (hasClipArrived) retryClip()
}

/** When people's names change, reloads the open event if it is not in the list. */
async function refreshPersonNames(): Promise<void> {
  const event = $currentEvent.get()
  if (!event || findListedEvent(event.event_id)) return
  const response = await fetchUnlistedEvent({ eventId: event.event_id, deviceId: event.device_id })
  const clip = $clip.get()
  if (response?.ok && clip.state !== 'none' && clip.event === event) $clip.set({ ...clip, event: response.data })
}
