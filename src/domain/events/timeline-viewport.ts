import type { Event } from '../../../contract/events/events.ts'
import type { TimelineRun, TimelineState } from '../../../contract/events/timeline.ts'
import type { Span } from '../time/date-range.ts'
import {
  formatClock,
  dayMonthLabel,
  roundedDurationLabel,
  nearDayLabel,
  rangeLabel,
  shortDayWithoutYearLabel,
  shortWeekdayLabel,
  timeLabel,
} from '../time/date-formats.ts'
import { wholeHourLabel } from '../time/hour-label.ts'
import { joinWeekday } from '../time/regional-formats.ts'
import { addDays, toDay, isSameDay, startOfDay } from '../time/local-time.ts'
import { DAY_MS, MINUTE_MS } from '../../../contract/time-units.ts'

/** Limits of the view length: half an hour to 60 days. */
export const VIEW_MIN_MS = 30 * MINUTE_MS
export const VIEW_MAX_MS = 60 * DAY_MS

/** State of a timeline segment. `filtered_out`: recorded, but the filter hides all events of the segment. */
export type ShownState = TimelineState | 'filtered_out'

/** Returns the 24 hours up to the end of the minute of `now` (ms UTC), so that the span includes the latest clip. */
export function getLast24Hours(now: number): Span {
  const end = (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS
  return { begin: end - DAY_MS, end }
}

/**
 * Scales the view by `factor`, within the limits of the view length. The instant `at` keeps its position, or moves to
 * the center if it was outside the view. The result never extends beyond `now`.
 */
export function zoomView({ begin, end }: Span, factor: number, at: number, now: number): Span {
  const length = Math.min(VIEW_MAX_MS, Math.max(VIEW_MIN_MS, (end - begin) * factor))
  const position = at < begin || at > end || end === begin ? 0.5 : (at - begin) / (end - begin)
  return limitToNow({ begin: at - position * length, end: at + (1 - position) * length }, now)
}

/** Moves `view` by `ms`, never beyond `now`. */
export function panView({ begin, end }: Span, ms: number, now: number): Span {
  return limitToNow({ begin: begin + ms, end: end + ms }, now)
}

/** Returns `view` if it contains the instant `at` (ms UTC), else moves it to center `at`; never beyond `now`. */
export function moveViewTo(view: Span, at: number, now: number): Span {
  if (view.begin <= at && at <= view.end) return view
  return panView(view, at - (view.begin + view.end) / 2, now)
}

function limitToNow({ begin, end }: Span, now: number): Span {
  const excessMs = Math.max(0, end - now)
  return { begin: Math.round(begin - excessMs), end: Math.round(end - excessMs) }
}

/** Returns the segments that overlap `view`, clipped to the view. */
export function cropSegments(segments: readonly TimelineRun[], { begin, end }: Span): TimelineRun[] {
  return segments
    .filter(([from, to]) => to > begin && from < end)
    .map(([from, to, state, reason]) => [Math.max(from, begin), Math.min(to, end), state, reason])
}

export function findSegmentAt(segments: readonly TimelineRun[], at: number): TimelineRun | undefined {
  return segments.find(([from, to]) => from <= at && at < to)
}

/**
 * Returns at most `maxLabels` + 1 labels at round local times: `09:00`, `Sat 02:00` for the first label of a day,
 * `14 Nov` if the labels are at least a day apart.
 */
export function createTimeLabels({ begin, end }: Span, maxLabels: number): { at: number; label: string }[] {
  const step =
    LABEL_STEPS_MS.find((candidate) => (end - begin) / candidate <= maxLabels) ?? LABEL_STEPS_MS.at(-1) ?? DAY_MS
  const labels: { at: number; label: string }[] = []
  let day = ''
  for (const at of step < DAY_MS ? listHourTicks(begin, end, step) : listDayTicks(begin, end, step)) {
    const today = shortWeekdayLabel(at)
    labels.push({ at, label: tickLabel(at, step, labels.length === 0 || today !== day) })
    day = today
  }
  return labels
}

const LABEL_STEPS_MS = [5, 10, 15, 30, 60, 120, 180, 360, 720]
  .map((minutes) => minutes * MINUTE_MS)
  .concat([1, 2, 7, 14].map((days) => days * DAY_MS))
/** Daylight saving time changes the clock by multiples of this duration. */
const CLOCK_CHANGE_UNIT_MS = 30 * MINUTE_MS
/**
 * Minimum distance between labels as a share of a step. A clock change can bring two round times closer together than
 * one step.
 */
const MIN_LABEL_DISTANCE = 5 / 6

function tickLabel(at: number, step: number, isNewDay: boolean): string {
  if (step >= DAY_MS) return shortDayWithoutYearLabel(at)
  const clock = getMinuteOfDay(at) % 60 === 0 ? wholeHourLabel(new Date(at).getHours()) : formatClock(at)
  return isNewDay ? `${shortWeekdayLabel(at)} ${clock}` : clock
}

/**
 * Returns the start of each day and the times at which the local clock shows a whole step. Omits times whose labels
 * would be too close together.
 */
function listHourTicks(begin: number, end: number, step: number): number[] {
  const ticks: number[] = []
  for (let day = startOfDay(begin); day <= end; day = startOfDay(addDays(day, 1))) {
    const tomorrow = startOfDay(addDays(day, 1))
    for (let at = day; at < tomorrow; at += Math.min(step, CLOCK_CHANGE_UNIT_MS)) {
      const isRound = at === day || getMinuteOfDay(at) % (step / MINUTE_MS) === 0
      if (isRound && at - (ticks.at(-1) ?? -Infinity) >= step * MIN_LABEL_DISTANCE) ticks.push(at)
    }
  }
  return ticks.filter((at) => at >= begin && at <= end)
}

function getMinuteOfDay(at: number): number {
  const date = new Date(at)
  return date.getHours() * 60 + date.getMinutes()
}

function listDayTicks(begin: number, end: number, step: number): number[] {
  const ticks: number[] = []
  const next = (at: number) => startOfDay(addDays(at, step / DAY_MS))
  const midnight = startOfDay(begin)
  for (let at = midnight >= begin ? midnight : next(midnight); at <= end; at = next(at)) ticks.push(at)
  return ticks
}

export const STATE_NAMES: Readonly<Record<ShownState, string>> = {
  recorded: 'Recorded',
  live_only: 'Live only',
  asleep: 'Asleep',
  offline: 'Offline',
  switched_off: 'Turned off',
  bridge_off: 'Hub off',
  not_kept: 'Not in your plan',
  expired: 'Expired',
  freed: 'Deleted to free up space',
  not_indexed: 'Uploading',
  not_watched: 'Not monitored',
  unknown: 'No data',
  filtered_out: 'Hidden by your filters',
}

/** Returns `filtered_out` if the filter hides all events of a recorded segment, else its state. */
export function getShownState(
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

/** Describes state, start and duration of a segment: `Offline since 07:12:04 · 2 h 46 min`. */
export function segmentLabel(
  [from, to, , reason]: TimelineRun,
  state: ShownState,
  now: number,
): { title: string; reason: string } {
  const since = isSameDay(from, now)
    ? timeLabel(from)
    : `${nearDayLabel(from, now).replace('Yes', 'yes')} ${timeLabel(from)}`
  return { title: `${STATE_NAMES[state]} from ${since} · ${roundedDurationLabel(to - from)}`, reason }
}

/** Formats an instant, with its day if that is not today: `9:41:14 AM`, `Sat 9:14:02 PM`, `Nov 14 9:14:02 PM`. */
export function formatInstant(at: number, now: number): string {
  if (isSameDay(at, now)) return timeLabel(at)
  const day = now - at < 6 * DAY_MS ? shortWeekdayLabel(at) : shortDayWithoutYearLabel(at)
  return `${day} ${timeLabel(at)}`
}

/** Formats an instant like `formatInstant`, without seconds. */
export const formatInstantBriefly = (at: number, now: number): string =>
  formatInstant(at, now).replace(timeLabel(at), formatClock(at))

/** Returns the title of one camera's view: `Street, last 24 hours`, `Street, Sat, November 21, 8:00 AM – 12:00 PM`. */
export const cameraViewLabel = (camera: string, view: Span, now: number): string =>
  `${camera}, ${viewLabel(view, now).replace(/^Last/, 'last')}`

/** Returns the title of a view: `Last 24 hours`, `Sat, November 21, 8:00 AM – 12:00 PM`, `November 7 – 20`. */
export function viewLabel({ begin, end }: Span, now: number): string {
  const length = end - begin
  if (now - end < MINUTE_MS && length === DAY_MS) return 'Last 24 hours'
  const hour = (at: number) => `${shortWeekdayLabel(at)} ${formatClock(at)}`
  if (isSameDay(begin, end))
    return `${joinWeekday(shortWeekdayLabel(begin), dayMonthLabel(begin))}, ${formatClock(begin)} – ${formatClock(end)}`
  return length < 3 * DAY_MS ? `${hour(begin)} – ${hour(end)}` : rangeLabel(toDay(begin), toDay(end))
}
