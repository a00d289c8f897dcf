import type { Event } from '../../../contract/events/events.ts'
import type { Span } from '../time/date-range.ts'
import { eventTags } from './event-types.ts'

/** What a tick stands for; each has a shape and a colour of its own. */
export type TickKind = 'motion' | 'person' | 'sound'

/** One mark above a strip: an event, or several that lie too close together to be told apart. */
export interface Tick {
  /** CSS pixels from the left end of the strip. */
  readonly x: number
  /** When the event began that gives the tick its place, ms UTC. */
  readonly at: number
  readonly kind: TickKind
  /** Ids of its events; the first is the one that gives it its place. */
  readonly ids: readonly string[]
}

/** Two ticks are at least so far apart, CSS pixels: closer ones are one. */
export const TICK_GAP = 6
/** A pointer takes the nearest tick up to so far away, CSS pixels. */
export const TICK_REACH = 8

/** Names of the kinds, as the legend says them. */
export const TICK_NAMES: Readonly<Record<TickKind, string>> = {
  motion: 'Motion',
  person: 'Person or face',
  sound: 'Sound',
}

/** What must not be hidden by something else comes first. */
const BY_WEIGHT: readonly TickKind[] = ['person', 'sound', 'motion']

/** A person or a face, else a sound, else motion. */
export function tickKind(event: Pick<Event, 'tags'>): TickKind {
  const tags = eventTags(event)
  if (tags.some(({ id }) => id === '101' || id === '12')) return 'person'
  return tags.some(({ kind }) => kind === 'sound') ? 'sound' : 'motion'
}

/**
 * The ticks of one camera's events over a strip `width` CSS pixels wide, from the left. Events outside `view` have none. Of
 * events closer than `TICK_GAP` the one of most weight gives place and kind, among equals the oldest.
 */
export function eventTicks(
  events: readonly Pick<Event, 'event_id' | 'event_ts' | 'tags'>[],
  { begin, end }: Span,
  width: number,
): Tick[] {
  if (width <= 0 || end <= begin) return []
  const inside = events
    .filter(({ event_ts }) => event_ts >= begin && event_ts <= end)
    .map((event) => ({ event, kind: tickKind(event), x: ((event.event_ts - begin) / (end - begin)) * width }))
    .sort((a, b) => BY_WEIGHT.indexOf(a.kind) - BY_WEIGHT.indexOf(b.kind) || a.x - b.x)
  // At most one tick begins in each stretch of that width.
  const placed = new Map<number, { x: number; at: number; kind: TickKind; ids: string[] }>()
  for (const { event, kind, x } of inside) {
    const slot = Math.floor(x / TICK_GAP)
    const near = [slot - 1, slot, slot + 1]
      .flatMap((index) => placed.get(index) ?? [])
      .filter((tick) => Math.abs(tick.x - x) < TICK_GAP)
      .sort((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x))[0]
    if (near) near.ids.push(event.event_id)
    else placed.set(slot, { x, at: event.event_ts, kind, ids: [event.event_id] })
  }
  return [...placed.values()].sort((a, b) => a.x - b.x)
}

/** The tick nearest to `x`, null when none is within `reach` CSS pixels. */
export function nearestTick(ticks: readonly Tick[], x: number, reach = TICK_REACH): Tick | null {
  let found: Tick | null = null
  for (const tick of ticks) if (Math.abs(tick.x - x) <= (found ? Math.abs(found.x - x) : reach)) found = tick
  return found
}

/** The next tick after the instant `at` (ms UTC), with -1 the one before it; null when there is none. */
export function findNeighborTick(ticks: readonly Tick[], at: number, direction: 1 | -1): Tick | null {
  if (direction === 1) return ticks.find((tick) => tick.at > at) ?? null
  return ticks.findLast((tick) => tick.at < at) ?? null
}
