import { eventCountLabel } from '../../../domain/copy/event-labels.ts'
import { totalsText } from '../../../domain/events/timeline-totals.ts'
import { formatClock } from '../../../domain/time/clock-time.ts'
import {
  formatInstant,
  findSegmentAt,
  segmentLabel,
  type ShownState,
} from '../../../domain/events/timeline-viewport.ts'
import type { TimelineCursor } from '../../../stores/events/timeline-cursor.ts'
import type { CameraStrip } from './camera-strips.ts'

/** States in which the camera was on. Their label needs no reason. */
const STATES_WITHOUT_REASON: ReadonlySet<ShownState> = new Set(['recorded', 'live_only', 'filtered_out'])

/**
 * Returns the label for a time without a tick, such as `12:04 · Live only from 11:30:00 · 40 min`, and the reason if the
 * camera was not on; null if no segment contains `at`.
 */
export function hoverLabel(strip: CameraStrip, at: number, now: number): { title: string; reason: string } | null {
  const found = findVisibleSegment(strip, at)
  const label = stateLabel(strip, at, now)
  if (!found || !label) return null
  const title = `${formatClock(at)} · ${label.title}`
  return { title, reason: STATES_WITHOUT_REASON.has(found.state) ? '' : label.reason }
}

const findVisibleSegment = (strip: CameraStrip, at: number) =>
  strip.visible.find(({ run: [from, to] }) => from <= at && at < to)

/**
 * Returns the camera's state at the time `at`, such as `Offline since 07:12:04 · 26 min`, and the reason for it; null
 * if no segment contains `at`.
 */
function stateLabel(strip: CameraStrip, at: number, now: number): { title: string; reason: string } | null {
  const found = findVisibleSegment(strip, at)
  if (!found) return null
  // Uses the whole segment, because the visible one is clipped to the view.
  return segmentLabel(findSegmentAt(strip.runs ?? [], found.run[0]) ?? found.run, found.state, now)
}

/** Returns the event's label and the number of other events in the tick: `Person with a box and 2 more`. */
export function tickLabel({ tick, event }: TimelineCursor): string {
  if (!event) return ''
  const others = (tick?.ids.length ?? 1) - 1
  return others === 0 ? event.title : `${event.title} and ${others} more`
}

/** Returns a strip's text for screen readers: event and state under the cursor, else a summary of the strip. */
export function screenReaderText(strip: CameraStrip, cursor: TimelineCursor | null, now: number): string {
  const { camera, runs, totals, view, ticks } = strip
  const name = camera.nickname
  if (!runs || !totals) return `${name}: Not loaded yet`
  if (!cursor) {
    const events = ticks.reduce((sum, { ids }) => sum + ids.length, 0)
    return `${name}: ${totalsText(totals, view)}. ${eventCountLabel(events)}`
  }
  const state = stateLabel(strip, cursor.at, now)
  const tickText =
    cursor.tick && cursor.event ? `${tickLabel(cursor)}, ${formatInstant(cursor.event.event_ts, now)}` : ''
  return `${name}: ${[tickText, state?.title, state?.reason].filter(Boolean).join('. ')}`
}
