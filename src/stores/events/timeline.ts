import { atom } from 'nanostores'
import { EVENT_SPAN_MAX_MS } from '../../../contract/events/events.ts'
import { timeline, type TimelineRun } from '../../../contract/events/timeline.ts'
import { request } from '../../api/api-client.ts'
import { isNarrowed, type Span, toSpan } from '../../domain/time/date-range.ts'
import { holding, lastDay, panned, zoomed } from '../../domain/events/timeline-viewport.ts'
import { $address } from './event-url.ts'
import { $eventCameras } from './event-cameras.ts'
import { onFeed } from '../home/feed.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'

/**
 * Visible time span of the strips, ms UTC. An end below 0 means that the user has chosen no span: the strips show the
 * last 24 hours and advance.
 */
export const $timelineView = atom<Span>({ begin: 0, end: -1 })

/** Timeline segments by camera within `span`. `failed`: nothing could be loaded. */
export type TimelineLoadState =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly span: Span; readonly runs: ReadonlyMap<string, readonly TimelineRun[]> }
  | { readonly state: 'failed'; readonly failure: Failure }
export const $timeline = atom<TimelineLoadState>({ state: 'loading' })

/** Playback position of the open clip, ms UTC; null without an open clip. */
export const $playhead = atom<number | null>(null)

export function viewNow(now: number, view = $timelineView.get()): Span {
  return view.end < 0 ? lastDay(now) : view
}

/** Zoom center: the current time of the open clip, otherwise now. */
const anchor = () => $playhead.get() ?? Date.now()

export function zoomTimeline(factor: number, at = anchor()): void {
  $timelineView.set(zoomed(viewNow(Date.now()), factor, at, Date.now()))
}

/** Zooms the timeline to `length` ms. If this gives the last 24 hours, the view advances with time from then on. */
export function zoomTimelineTo(length: number): void {
  const now = Date.now()
  const { begin, end } = viewNow(now)
  const day = lastDay(now)
  if (length === day.end - day.begin && anchor() >= day.begin) showLastDay()
  else zoomTimeline(length / (end - begin))
}

export function panTimeline(ms: number): void {
  $timelineView.set(panned(viewNow(Date.now()), ms, Date.now()))
}

export function showLastDay(): void {
  $timelineView.set({ begin: 0, end: -1 })
}

/** Debounce, ms: the timeline loads once the view has stopped moving. */
const SETTLED_MS = 120
/** Debounce for feed messages, since several changes arrive together. */
const NEWS_MS = 1500
/** Interval at which the timeline reloads, ms, so that a view of the last 24 hours stays current. */
const MOVE_ON_MS = 30_000

let turn = 0

let followers = 0
let unfollow = () => {}

/**
 * Keeps the timeline loaded for the current view until the last caller unsubscribes. A phone has two callers: the strip
 * of one camera, and all strips above it. Returns an unsubscribe function.
 */
export function watchTimeline(): () => void {
  followers += 1
  if (followers === 1) unfollow = startWatching()
  return () => {
    followers -= 1
    if (followers === 0) unfollow()
  }
}

function startWatching(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = (ms: number, isStale: boolean) => {
    clearTimeout(timer)
    timer = setTimeout(() => void load(isStale), ms)
  }
  const stops = [
    $timelineView.listen(() => soon(SETTLED_MS, false)),
    $eventCameras.listen(() => soon(SETTLED_MS, true)),
    watchDay(),
    watchPlayhead(),
    onFeed(() => soon(NEWS_MS, true)),
  ]
  const back = () => void load(true)
  addEventListener('online', back)
  const beat = setInterval(() => void load(true), MOVE_ON_MS)
  void load(true)
  return () => {
    clearTimeout(timer)
    clearInterval(beat)
    removeEventListener('online', back)
    stops.forEach((stop) => stop())
  }
}

/** Moves the strips to a single day when the filter selects one. */
function watchDay(): () => void {
  let currentRange: unknown
  return $address.subscribe(({ filter: { range } }) => {
    if (range === currentRange) return
    currentRange = range
    if (typeof range !== 'object') return
    const { begin, end } = toSpan(range)
    if (range.start === range.end || isNarrowed(range)) $timelineView.set({ begin, end: Math.min(end + 1, Date.now()) })
  })
}

/** Moves the view to a clip when it opens, on any day. Does not move the view during playback. */
function watchPlayhead(): () => void {
  let before: number | null = null
  return $playhead.subscribe((at) => {
    if (at !== null && before === null) {
      const view = viewNow(Date.now())
      const held = holding(view, at, Date.now())
      if (held !== view) $timelineView.set(held)
    }
    before = at
  })
}

export function reloadTimeline(): void {
  $timeline.set({ state: 'loading' })
  void load(true)
}

async function load(isStale: boolean): Promise<void> {
  const view = viewNow(Date.now())
  const current = $timeline.get()
  const covers = current.state === 'ready' && current.span.begin <= view.begin && current.span.end >= view.end
  if (covers && !isStale) return
  const ids = $eventCameras.get().map(({ device_id }) => device_id)
  if (ids.length === 0) return
  const span = around(view)
  const mine = ++turn
  const pending = request(timeline, { device_ids: ids, begin_time: span.begin, end_time: span.end })
  const answer = await withFailureShown('place', pending, 'The timeline did not load.')
  if (mine !== turn) return
  if (answer.ok)
    $timeline.set({
      state: 'ready',
      span,
      runs: new Map(answer.data.devices.map((device) => [device.device_id, device.runs])),
    })
  else if ($timeline.get().state !== 'ready') $timeline.set({ state: 'failed', failure: answer })
}

/**
 * Extends the view by half its length on both sides, so that a short drag needs no request; capped at the maximum span
 * per call.
 */
function around({ begin, end }: Span): Span {
  const room = Math.floor(Math.min((end - begin) / 2, (EVENT_SPAN_MAX_MS - (end - begin)) / 2))
  return { begin: begin - room, end: end + room }
}
