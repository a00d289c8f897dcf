import dayjs from 'dayjs'
import type { Event } from '../../../contract/events/events.ts'
import type { TimelineRun, TimelineState } from '../../../contract/events/timeline.ts'
import type { Span } from '../time/date-range.ts'
import {
  clock,
  dayMonth,
  lengthLabel,
  nearDayLabel,
  rangeLabel,
  shortDay,
  shortWeekday,
  timeLabel,
} from '../time/date-formats.ts'
import { addDays, toDay, isSameDay, startOfDay } from '../time/local-time.ts'
import { DAY_MS, MINUTE_MS } from '../../../contract/time-units.ts'

/** Limits of the view length: half an hour to 60 days. */
export const VIEW_MIN_MS = 30 * MINUTE_MS
export const VIEW_MAX_MS = 60 * DAY_MS

/** State as drawn: `filtered_out` is recorded, but the filter hides its events. */
export type ShownState = TimelineState | 'filtered_out'

/**
 * Returns the 24 hours up to the end of the current minute of `now` (ms UTC), so that a clip of the last seconds is
 * inside.
 */
export function lastDay(now: number): Span {
  const end = (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS
  return { begin: end - DAY_MS, end }
}

/**
 * Scales `view` by `factor` around the instant `at`, which keeps its position, or moves to the center if it was
 * outside. Never extends beyond `now`.
 */
export function zoomed({ begin, end }: Span, factor: number, at: number, now: number): Span {
  const length = Math.min(VIEW_MAX_MS, Math.max(VIEW_MIN_MS, (end - begin) * factor))
  const share = at < begin || at > end || end === begin ? 0.5 : (at - begin) / (end - begin)
  return within({ begin: at - share * length, end: at + (1 - share) * length }, now)
}

/** Moves `view` by `ms`, never beyond `now`. */
export function panned({ begin, end }: Span, ms: number, now: number): Span {
  return within({ begin: begin + ms, end: end + ms }, now)
}

/** Returns `view` if it contains the instant `at` (ms UTC), else moves it to center `at`; never beyond `now`. */
export function holding(view: Span, at: number, now: number): Span {
  if (view.begin <= at && at <= view.end) return view
  return panned(view, at - (view.begin + view.end) / 2, now)
}

function within({ begin, end }: Span, now: number): Span {
  const over = Math.max(0, end - now)
  return { begin: Math.round(begin - over), end: Math.round(end - over) }
}

/** Returns the segments within `view`, clipped to it. */
export function cut(runs: readonly TimelineRun[], { begin, end }: Span): TimelineRun[] {
  return runs
    .filter(([from, to]) => to > begin && from < end)
    .map(([from, to, state, reason]) => [Math.max(from, begin), Math.min(to, end), state, reason])
}

export function runAt(runs: readonly TimelineRun[], at: number): TimelineRun | undefined {
  return runs.find(([from, to]) => from <= at && at < to)
}

/**
 * Returns at most `maxLabels` + 1 labels at round local times: `09:00`, `Sat 02:00` at the start of a day, `14 Nov` for
 * days.
 */
export function ticks({ begin, end }: Span, maxLabels: number): { at: number; label: string }[] {
  const step = STEPS.find((candidate) => (end - begin) / candidate <= maxLabels) ?? STEPS.at(-1) ?? DAY_MS
  const found: { at: number; label: string }[] = []
  let day = ''
  for (const at of step < DAY_MS ? hourTicks(begin, end, step) : dayTicks(begin, end, step)) {
    const today = shortWeekday(at)
    found.push({ at, label: tickLabel(at, step, found.length === 0 || today !== day) })
    day = today
  }
  return found
}

const STEPS = [5, 10, 15, 30, 60, 120, 180, 360, 720]
  .map((minutes) => minutes * MINUTE_MS)
  .concat([1, 2, 7, 14].map((days) => days * DAY_MS))
/** Clocks change (daylight saving time) by multiples of this duration. */
const CHANGE = 30 * MINUTE_MS
/**
 * Minimum distance between labels as a share of a step. A clock change can bring two round times closer together than
 * one step.
 */
const LABEL_SHARE = 5 / 6

function tickLabel(at: number, step: number, isNewDay: boolean): string {
  if (step >= DAY_MS) return shortDay(at)
  return isNewDay ? `${shortWeekday(at)} ${clock(at)}` : clock(at)
}

/**
 * Returns the start of each day and the times at which the local clock shows a whole step. Omits times whose labels
 * would be too close together.
 */
function hourTicks(begin: number, end: number, step: number): number[] {
  const found: number[] = []
  for (let day = startOfDay(begin); day <= end; day = startOfDay(addDays(day, 1))) {
    const tomorrow = startOfDay(addDays(day, 1))
    for (let at = day; at < tomorrow; at += Math.min(step, CHANGE)) {
      const isRound = at === day || minuteOfDay(at) % (step / MINUTE_MS) === 0
      if (isRound && at - (found.at(-1) ?? -Infinity) >= step * LABEL_SHARE) found.push(at)
    }
  }
  return found.filter((at) => at >= begin && at <= end)
}

function minuteOfDay(at: number): number {
  const date = new Date(at)
  return date.getHours() * 60 + date.getMinutes()
}

function dayTicks(begin: number, end: number, step: number): number[] {
  const found: number[] = []
  const next = (at: number) => startOfDay(addDays(at, step / DAY_MS))
  const midnight = startOfDay(begin)
  for (let at = midnight >= begin ? midnight : next(midnight); at <= end; at = next(at)) found.push(at)
  return found
}

export const STATE_NAMES: Readonly<Record<ShownState, string>> = {
  recorded: 'Recorded',
  live_only: 'Live only',
  asleep: 'Asleep',
  offline: 'Offline',
  switched_off: 'Switched off',
  bridge_off: 'Box off',
  not_kept: 'Your plan does not keep it',
  expired: 'Expired',
  not_indexed: 'On its way',
  not_watched: 'Not watched',
  unknown: 'Not known',
  filtered_out: 'Filtered out by you',
}

/** Returns `filtered_out` if the filter hides all events of a recorded segment, else its state. */
export function shownState(
  [from, to, state]: TimelineRun,
  all: readonly Event[],
  isShown: (event: Event) => boolean,
): ShownState {
  if (state !== 'recorded') return state
  const inside = all.filter((event) => overlaps(event, from, to))
  return inside.length > 0 && !inside.some(isShown) ? 'filtered_out' : state
}

function overlaps(event: Event, from: number, to: number): boolean {
  const end = Math.max(event.event_ts, ...event.event_resources.map(({ end_time }) => end_time))
  const begin = Math.min(event.event_ts, ...event.event_resources.map(({ begin_time }) => begin_time))
  return begin < to && end >= from
}

/** `Offline since 07:12:04 · 2 h 46 min`: state, start and duration of a segment. */
export function runLabel(
  [from, to, , reason]: TimelineRun,
  state: ShownState,
  now: number,
): { title: string; reason: string } {
  const since = isSameDay(from, now) ? timeLabel(from) : `${nearDayLabel(from, now)} ${timeLabel(from)}`
  return { title: `${STATE_NAMES[state]} since ${since} · ${lengthLabel(to - from)}`, reason }
}

/** `09:41:14`, `Sat 21:14:02`, `14 Nov 21:14:02`: an instant, with its day if `now` does not make it obvious. */
export function formatInstant(at: number, now: number): string {
  if (dayjs(at).isSame(now, 'day')) return timeLabel(at)
  return dayjs(at).format(now - at < 6 * DAY_MS ? 'ddd HH:mm:ss' : 'D MMM HH:mm:ss')
}

/** `Last 24 hours`, `Sat 21 November, 08:00 – 12:00`, `7 – 20 November`: title of a view. */
export function viewLabel({ begin, end }: Span, now: number): string {
  const length = end - begin
  if (now - end < MINUTE_MS && length === DAY_MS) return 'Last 24 hours'
  const hour = (at: number) => `${shortWeekday(at)} ${clock(at)}`
  if (isSameDay(begin, end)) return `${shortWeekday(begin)} ${dayMonth(begin)}, ${clock(begin)} – ${clock(end)}`
  return length < 3 * DAY_MS ? `${hour(begin)} – ${hour(end)}` : rangeLabel(toDay(begin), toDay(end))
}
