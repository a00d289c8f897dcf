import { atom, computed } from 'nanostores'
import { type Event, type EventResource } from '../../../contract/events/events.ts'
import { type DetectionTrack, readDetections } from '../../../contract/events/detections.ts'
import { getEvent, replayArchive, replayLive } from '../../../contract/events/event-calls.ts'
import { request } from '../../api/api-client.ts'
import type { Result } from '../../api/result.ts'
import { getClip, replayType } from '../../domain/events/event-recording.ts'
import type { OpenEvent } from '../../domain/events/event-url.ts'
import { $address, $moment } from './event-url.ts'
import { $eventCameras } from './event-cameras.ts'
import { onFeed } from '../home/feed.ts'
import { $events, markEventReviewed } from './events.ts'
import { loadEventsByIds } from './events-by-ids.ts'
import { type Failure, showFailure } from '../shell/report-failure.ts'

/** Clip of the open event. `event` is null until the event of the URL is loaded. */
export type Clip =
  | { readonly state: 'none' }
  | { readonly state: 'loading'; readonly event: Event | null }
  /**
   * `url` is valid for 5 minutes from the request. `isOpen`: the clip is still being recorded or uploaded, so more will
   * follow.
   */
  | {
      readonly state: 'ready'
      readonly event: Event
      readonly url: string
      readonly mime: string
      readonly isOpen: boolean
      /** Detections in the clip and their positions; empty if unknown. */
      readonly found: readonly DetectionTrack[]
    }
  /** Nothing to play; `text` gives the reason as a sentence. */
  | { readonly state: 'missing'; readonly event: Event | null; readonly text: string }
  | { readonly state: 'failed'; readonly event: Event | null; readonly failure: Failure }

export const $clip = atom<Clip>({ state: 'none' })

export const $currentEvent = computed($clip, (clip) => (clip.state === 'none' ? null : clip.event))

const NO_RECORDING = 'No recording for this event.'
const ON_ITS_WAY = 'The recording is on its way from the camera. It plays here once it has arrived.'
const NO_EVENT = 'This event is no longer there, or it belongs to a camera that is not shared with you.'
const TROUBLE = 'The recording could not be loaded.'

/** Delay after which the page of an opened clip has been painted, ms. */
const PAINTED_MS = 50

let turn = 0

/**
 * Opens the clip named in the URL and marks its event as reviewed. Synced playback opens no clip. Returns a function
 * that stops the sync.
 */
export function syncOpenEvent(): () => void {
  let currentId = ''
  const sync = () => {
    const open = $moment.get() === null ? $address.get().open : null
    if ((open?.eventId ?? '') === currentId) return
    currentId = open?.eventId ?? ''
    if (open) void show(open)
    else close()
  }
  const stops = [
    $address.subscribe(sync),
    $events.listen(refreshEvent),
    onFeed(({ type }) => type === 'people' && void refreshNames()),
  ]
  return () => {
    stops.forEach((stop) => stop())
    close()
  }
}

export function retryClip(): void {
  const { open } = $address.get()
  if (open) void show(open)
}

function close(): void {
  turn += 1
  $clip.set({ state: 'none' })
}

async function show(open: OpenEvent): Promise<void> {
  const mine = ++turn
  const listedEvent = listed(open.eventId)
  $clip.set({ state: 'loading', event: listedEvent ?? null })
  const found = listedEvent ? { ok: true as const, data: listedEvent } : await findEvent(open)
  if (mine !== turn) return
  if (!found) return $clip.set({ state: 'missing', event: null, text: NO_EVENT })
  if (!found.ok) return $clip.set({ state: 'failed', event: null, failure: showFailure('place', found, TROUBLE) })
  const event = found.data
  const finding = loadEventClip(event)
  // Marking scans the whole list, so it waits until the clip's page is painted.
  setTimeout(() => markEventReviewed(event), PAINTED_MS)
  if (!listedEvent) $clip.set({ state: 'loading', event })
  const clip = await finding
  if (mine === turn) $clip.set(clip)
}

function listed(eventId: string): Event | undefined {
  const list = $events.get()
  return list.state === 'ready' ? list.events.find((event) => event.event_id === eventId) : undefined
}

/** Fetches an event that is not in the list by id, plus camera if the URL names it; null if it does not exist. */
async function findEvent({ eventId, deviceId }: OpenEvent): Promise<Result<Event> | null> {
  if (!deviceId) {
    const answer = await loadEventsByIds([eventId])
    if (!answer.ok) return answer
    const [event] = answer.data
    return event ? { ok: true, data: event } : null
  }
  const answer = await request(getEvent, { event_id: eventId, device_id: deviceId })
  return !answer.ok && isGone(answer) ? null : answer
}

/** Returns the clip of an event, or why there is none to play. */
export async function loadEventClip(event: Event): Promise<Clip> {
  const clip = getClip(event)
  const isOpen = !clip && event.clip_state === 'uploading'
  if (!clip && !isOpen) return { state: 'missing', event, text: NO_RECORDING }
  const resource = clip?.resource ?? openResource(event)
  const answer = await request(isOpen ? replayLive : replayArchive, {
    device_id: event.device_id,
    product_model: $eventCameras.get().find(({ device_id }) => device_id === event.device_id)?.device_model ?? '',
    start_time: String(resource.begin_time),
    end_time: String(resource.end_time),
    resource_version: String(resource.resource_version),
    resource_type: replayType(resource),
    is_live: String(isOpen) as 'true' | 'false',
  })
  if (answer.ok) {
    const { replay_url: url, mime, found } = answer.data
    return { state: 'ready', event, url, mime, isOpen, found: readDetections(found) }
  }
  if (!isGone(answer)) return { state: 'failed', event, failure: showFailure('place', answer, TROUBLE) }
  return { state: 'missing', event, text: isOpen ? ON_ITS_WAY : NO_RECORDING }
}

function openResource({ event_ts }: Event): EventResource {
  return { begin_time: event_ts, end_time: Date.now(), resource_version: 1, resource_type: 's3' }
}

function isGone({ code, status }: { code: string; status: number }): boolean {
  return code === '404' || status === 404 || status === 403
}

/** Applies feed changes to the open event: reviewed elsewhere, or its clip has arrived. */
function refreshEvent(): void {
  const clip = $clip.get()
  if (clip.state === 'none' || !clip.event) return
  const event = listed(clip.event.event_id)
  if (!event || event === clip.event) return
  const arrived = clip.state === 'missing' && getClip(event) !== null
  $clip.set({ ...clip, event })
  if (arrived) retryClip()
}

/** Reloads the open event when people's names change, if the event is not in the list. */
async function refreshNames(): Promise<void> {
  const event = $currentEvent.get()
  if (!event || listed(event.event_id)) return
  const answer = await findEvent({ eventId: event.event_id, deviceId: event.device_id })
  const clip = $clip.get()
  if (answer?.ok && clip.state !== 'none' && clip.event === event) $clip.set({ ...clip, event: answer.data })
}
