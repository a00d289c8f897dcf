import { atom } from 'nanostores'
import { EVENT_SPAN_MAX_MS } from '../../../contract/events/events.ts'
import { timeline, type TimelineRun } from '../../../contract/events/timeline.ts'
import { request } from '../../api/api-client.ts'
import { isNarrowed, type Span, toSpan } from '../../domain/time/date-range.ts'
import { holding, lastDay, panned, zoomed } from '../../domain/events/timeline-viewport.ts'
import { $address } from './event-url.ts'
import { $cameras } from './event-cameras.ts'
import { onFeed } from '../home/feed.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'

/** What the strips show, ms UTC; an end before 0 while nothing was chosen: the last 24 hours, which move on. */
export const $view = atom<Span>({ begin: 0, end: -1 })

/** Runs by camera over `span`. `failed`: nothing could be loaded. */
export type Timeline =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly span: Span; readonly runs: ReadonlyMap<string, readonly TimelineRun[]> }
  | { readonly state: 'failed'; readonly failure: Failure }
export const $timeline = atom<Timeline>({ state: 'loading' })

/** The instant that the open clip shows, ms UTC. */
export const $playhead = atom<number | null>(null)

/** What a view shows as of now. */
export function viewNow(now: number, view = $view.get()): Span {
  return view.end < 0 ? lastDay(now) : view
}

/** Around which instant the timeline zooms: what the open clip shows, else now. */
const anchor = () => $playhead.get() ?? Date.now()

export function zoomTimeline(factor: number, at = anchor()): void {
  $view.set(zoomed(viewNow(Date.now()), factor, at, Date.now()))
}

/** Shows `length` ms; where that is a day which ends now, the last 24 hours, which move on. */
export function zoomTimelineTo(length: number): void {
  const now = Date.now()
  const { begin, end } = viewNow(now)
  const day = lastDay(now)
  if (length === day.end - day.begin && anchor() >= day.begin) showLastDay()
  else zoomTimeline(length / (end - begin))
}

export function panTimeline(ms: number): void {
  $view.set(panned(viewNow(Date.now()), ms, Date.now()))
}

export function showLastDay(): void {
  $view.set({ begin: 0, end: -1 })
}

/** Waits for the fingers to rest before it asks. */
const SETTLED_MS = 120
/** Heard of the feed: several changes come together. */
const NEWS_MS = 1500
/** The last 24 hours move on. */
const MOVE_ON_MS = 30_000

let turn = 0

let followers = 0
let unfollow = () => {}

/**
 * Keeps the timeline loaded for what is in view. Ends with the returned function of the last who asked for it: a phone shows one
 * camera's strip, and all of them above it.
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
    $view.listen(() => soon(SETTLED_MS, false)),
    $cameras.listen(() => soon(SETTLED_MS, true)),
    watchDay(),
    watchPlayhead(),
    onFeed(() => soon(NEWS_MS, true)),
  ]
  // A connection that is back asks again by itself.
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

/** A single day of the filter is what the strips show. */
function watchDay(): () => void {
  let currentRange: unknown
  return $address.subscribe(({ filter: { range } }) => {
    if (range === currentRange) return
    currentRange = range
    if (typeof range !== 'object') return
    const { begin, end } = toSpan(range)
    if (range.start === range.end || isNarrowed(range)) $view.set({ begin, end: Math.min(end + 1, Date.now()) })
  })
}

/** A clip that is opened comes into view, on whatever day it was; what is looked at while it plays stays. */
function watchPlayhead(): () => void {
  let before: number | null = null
  return $playhead.subscribe((at) => {
    if (at !== null && before === null) {
      const view = viewNow(Date.now())
      const held = holding(view, at, Date.now())
      if (held !== view) $view.set(held)
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
  const ids = $cameras.get().map(({ device_id }) => device_id)
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

/** The view and half of it on both sides, so that a short drag needs no question; not longer than one may ask. */
function around({ begin, end }: Span): Span {
  const room = Math.floor(Math.min((end - begin) / 2, (EVENT_SPAN_MAX_MS - (end - begin)) / 2))
  return { begin: begin - room, end: end + room }
}
