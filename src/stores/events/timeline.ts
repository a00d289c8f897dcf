import { atom } from 'nanostores'
import { EVENT_SPAN_MAX_MS } from '../../../contract/events/events.ts'
import { timeline, type TimelineRun } from '../../../contract/events/timeline.ts'
import { request } from '../../api/api-client.ts'
import { hasHourLimit, type Span, toSpan } from '../../domain/time/date-range.ts'
import { moveViewTo, getLast24Hours, panView, zoomView } from '../../domain/events/timeline-viewport.ts'
import { $eventUrl } from './event-url.ts'
import { $eventCameras } from './event-cameras.ts'
import { onFeed } from '../home/feed.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'

/**
 * Visible time span of the strips, ms UTC. An end below 0 means that the user chose no span: the strips show the last
 * 24 hours and advance with time.
 */
export const $timelineView = atom<Span>({ begin: 0, end: -1 })

/** Timeline segments by camera within `span`. `failed`: no segments could be loaded. */
export type TimelineLoadState =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly span: Span; readonly runs: ReadonlyMap<string, readonly TimelineRun[]> }
  | { readonly state: 'failed'; readonly failure: Failure }
export const $timeline = atom<TimelineLoadState>({ state: 'loading' })

/** Playback position of the open clip, ms UTC; null without an open clip. */
export const $playhead = atom<number | null>(null)

export function getTimelineView(now: number, view = $timelineView.get()): Span {
  return view.end < 0 ? getLast24Hours(now) : view
}

const getZoomCenter = () => $playhead.get() ?? Date.now()

export function zoomTimeline(factor: number, at = getZoomCenter()): void {
  $timelineView.set(zoomView(getTimelineView(Date.now()), factor, at, Date.now()))
}

/**
 * Zooms the timeline so that the view shows `lengthMs`. For 24 hours, shows the last 24 hours and then advances with
 * time, unless the open clip plays an earlier time.
 */
export function zoomTimelineTo(lengthMs: number): void {
  const now = Date.now()
  const { begin, end } = getTimelineView(now)
  const day = getLast24Hours(now)
  if (lengthMs === day.end - day.begin && getZoomCenter() >= day.begin) showLastDay()
  else zoomTimeline(lengthMs / (end - begin))
}

export function panTimeline(ms: number): void {
  $timelineView.set(panView(getTimelineView(Date.now()), ms, Date.now()))
}

export function showLastDay(): void {
  $timelineView.set({ begin: 0, end: -1 })
}

/** Debounce, ms: the timeline loads once the view has stopped moving. */
const VIEW_DEBOUNCE_MS = 120
/** Debounce for feed messages, since several changes arrive together. */
const FEED_DEBOUNCE_MS = 1500
/** Interval at which the timeline reloads, ms. It keeps a view of the last 24 hours current. */
const RELOAD_INTERVAL_MS = 30_000

let latestLoad = 0

let subscriberCount = 0
let stopWatching = () => {}

/**
 * Keeps the timeline loaded for the current view until the last caller unsubscribes. A phone has two callers: the strip
 * of one camera, and the strips of all cameras. Returns an unsubscribe function.
 */
export function watchTimeline(): () => void {
  subscriberCount += 1
  if (subscriberCount === 1) stopWatching = startWatching()
  return () => {
    subscriberCount -= 1
    if (subscriberCount === 0) stopWatching()
  }
}

function startWatching(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const scheduleLoad = (ms: number, isStale: boolean) => {
    clearTimeout(timer)
    timer = setTimeout(() => void loadTimeline(isStale), ms)
  }
  const stops = [
    $timelineView.listen(() => scheduleLoad(VIEW_DEBOUNCE_MS, false)),
    $eventCameras.listen(() => scheduleLoad(VIEW_DEBOUNCE_MS, true)),
    showFilteredDay(),
    showOpenedClip(),
    onFeed(() => scheduleLoad(FEED_DEBOUNCE_MS, true)),
  ]
  const onOnline = () => void loadTimeline(true)
  addEventListener('online', onOnline)
  const reloadTimer = setInterval(() => void loadTimeline(true), RELOAD_INTERVAL_MS)
  void loadTimeline(true)
  return () => {
    clearTimeout(timer)
    clearInterval(reloadTimer)
    removeEventListener('online', onOnline)
    stops.forEach((stop) => stop())
  }
}

/** Moves the view to the filtered time if the filter selects a single day or certain hours. */
function showFilteredDay(): () => void {
  let currentRange: unknown
  return $eventUrl.subscribe(({ filter: { range } }) => {
    if (range === currentRange) return
    currentRange = range
    if (typeof range !== 'object') return
    const { begin, end } = toSpan(range)
    if (range.start === range.end || hasHourLimit(range))
      $timelineView.set({ begin, end: Math.min(end + 1, Date.now()) })
  })
}

/**
 * Moves the view to the playback position when a clip opens outside the view. The view does not move during playback.
 */
function showOpenedClip(): () => void {
  let before: number | null = null
  return $playhead.subscribe((at) => {
    if (at !== null && before === null) {
      const view = getTimelineView(Date.now())
      const movedView = moveViewTo(view, at, Date.now())
      if (movedView !== view) $timelineView.set(movedView)
    }
    before = at
  })
}

export function reloadTimeline(): void {
  $timeline.set({ state: 'loading' })
  void loadTimeline(true)
}

async function loadTimeline(isStale: boolean): Promise<void> {
  const view = getTimelineView(Date.now())
  const current = $timeline.get()
  const isCovered = current.state === 'ready' && current.span.begin <= view.begin && current.span.end >= view.end
  if (isCovered && !isStale) return
  const ids = $eventCameras.get().map(({ device_id }) => device_id)
  if (ids.length === 0) return
  const span = extendSpan(view)
  const loadNumber = ++latestLoad
  const pending = request(timeline, { device_ids: ids, begin_time: span.begin, end_time: span.end })
  const response = await withFailureShown('place', pending, 'We couldn’t load the timeline.')
  if (loadNumber !== latestLoad) return
  if (response.ok)
    $timeline.set({
      state: 'ready',
      span,
      runs: new Map(response.data.devices.map((device) => [device.device_id, device.runs])),
    })
  else if ($timeline.get().state !== 'ready') $timeline.set({ state: 'failed', failure: response })
}

/**
 * Extends the view by half its length on each side, so that a short drag needs no request. The extended span is at most
 * `EVENT_SPAN_MAX_MS` long.
 */
function extendSpan({ begin, end }: Span): Span {
  const marginMs = Math.floor(Math.min((end - begin) / 2, (EVENT_SPAN_MAX_MS - (end - begin)) / 2))
  return { begin: begin - marginMs, end: end + marginMs }
}
