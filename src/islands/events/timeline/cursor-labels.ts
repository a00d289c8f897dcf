import { countLabel } from '../../../domain/copy/event-labels.ts'
import { totalsText } from '../../../domain/events/timeline-totals.ts'
import { clock } from '../../../domain/time/clock-time.ts'
import { momentLabel, runAt, runLabel, type ShownState, STATE_NAMES } from '../../../domain/events/timeline-viewport.ts'
import type { TimelineCursor } from '../../../stores/events/timeline-cursor.ts'
import type { Lane } from './camera-strips.ts'

/** Of a camera that was on there is no more to say than that it was. */
const IS_PLAIN: ReadonlySet<ShownState> = new Set(['recorded', 'live_only', 'filtered_out'])

/** `12:04 · Live only` where somebody points beside all ticks, and why it was away if it was. */
export function hoverLabel(lane: Lane, at: number): { title: string; reason: string } | null {
  const found = lane.visible.find(({ run: [from, to] }) => from <= at && at < to)
  if (!found) return null
  const title = `${clock(at)} · ${STATE_NAMES[found.state]}`
  return { title, reason: IS_PLAIN.has(found.state) ? '' : found.run[3] }
}

/** What a camera did at the instant of the cursor: `Offline since 07:12:04 · 26 min`, and why; null where it is not known. */
function stateLabel(lane: Lane, at: number, now: number): { title: string; reason: string } | null {
  const found = lane.visible.find(({ run: [from, to] }) => from <= at && at < to) ?? null
  if (!found) return null
  // The run as it is, not cut to the view.
  return runLabel(runAt(lane.runs ?? [], found.run[0]) ?? found.run, found.state, now)
}

/** `Person with a box`, `Person with a box and 2 more`. */
export function tickLabel({ tick, event }: TimelineCursor): string {
  if (!event) return ''
  const others = (tick?.ids.length ?? 1) - 1
  return others === 0 ? event.title : `${event.title} and ${others} more`
}

/** What a screen reader says of a strip: what is under the cursor, else what the whole strip holds. */
export function screenReaderText(lane: Lane, cursor: TimelineCursor | null, now: number): string {
  const { camera, runs, sums, view, ticks } = lane
  const name = camera.nickname
  if (!runs || !sums) return `${name}: Not loaded yet`
  if (!cursor) {
    const events = ticks.reduce((sum, { ids }) => sum + ids.length, 0)
    return `${name}: ${totalsText(sums, view)}. ${countLabel(events)}`
  }
  const state = stateLabel(lane, cursor.at, now)
  const tickText = cursor.tick && cursor.event ? `${tickLabel(cursor)}, ${momentLabel(cursor.event.event_ts, now)}` : ''
  return `${name}: ${[tickText, state?.title, state?.reason].filter(Boolean).join('. ')}`
}
