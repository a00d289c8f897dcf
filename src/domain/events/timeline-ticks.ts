import type { Event } from '../../../contract/events/events.ts'
import type { Span } from '../time/date-range.ts'
import { eventTags } from './event-types.ts'
import { summarizeVisit, type Visit } from './visits.ts'

export type TickKind = 'motion' | 'person' | 'sound'

/** Mark above a strip: one event, or several that are too close to tell apart. */
export interface Tick {
  /** CSS pixels from the left end of the strip. */
  readonly x: number
  /** Start of the event that positions the tick, ms UTC. */
  readonly at: number
  readonly kind: TickKind
  /** Ids of its events; the first one positions the tick. */
  readonly ids: readonly string[]
}

/** Minimum distance of two ticks, CSS pixels; closer ones are merged. */
export const TICK_MIN_DISTANCE_PX = 6
/** Maximum distance at which a pointer selects a tick, CSS pixels. */
export const TICK_HIT_RADIUS_PX = 8

export const TICK_NAMES: Readonly<Record<TickKind, string>> = {
  motion: 'Motion',
  person: 'Person or face',
  sound: 'Sound',
}

/** Order of the kinds; the lowest number positions a tick of several events. */
const PRIORITIES: Readonly<Record<TickKind, number>> = { person: 0, sound: 1, motion: 2 }

/** Returns `person` for a person or face, else `sound`, else `motion`. */
export function getTickKind(event: Pick<Event, 'tags'>): TickKind {
  const tags = eventTags(event)
  if (tags.some(({ id }) => id === '101' || id === '12')) return 'person'
  return tags.some(({ kind }) => kind === 'sound') ? 'sound' : 'motion'
}

/**
 * Returns the ticks of one camera's events in the view, left to right, on a strip of `width` CSS pixels. Among events
 * in one tick, the event with the highest priority sets position and kind; among equal priorities, the oldest.
 */
export function createTicks(
  events: readonly Pick<Event, 'event_id' | 'event_ts' | 'tags'>[],
  { begin, end }: Span,
  width: number,
): Tick[] {
  if (width <= 0 || end <= begin) return []
  const inside = events
    .filter(({ event_ts }) => event_ts >= begin && event_ts <= end)
    .map((event) => ({ event, kind: getTickKind(event), x: ((event.event_ts - begin) / (end - begin)) * width }))
    .sort((a, b) => PRIORITIES[a.kind] - PRIORITIES[b.kind] || a.x - b.x)
  // Keyed by slot. Each slot is `TICK_MIN_DISTANCE_PX` wide and contains at most one tick.
  const ticksBySlot = new Map<number, { x: number; at: number; kind: TickKind; ids: string[] }>()
  for (const { event, kind, x } of inside) {
    const slot = Math.floor(x / TICK_MIN_DISTANCE_PX)
    let near: { x: number; ids: string[] } | null = null
    for (let index = slot - 1; index <= slot + 1; index++) {
      const tick = ticksBySlot.get(index)
      const maxDistance = near ? Math.abs(near.x - x) : TICK_MIN_DISTANCE_PX
      if (tick && Math.abs(tick.x - x) < maxDistance) near = tick
    }
    if (near) near.ids.push(event.event_id)
    else ticksBySlot.set(slot, { x, at: event.event_ts, kind, ids: [event.event_id] })
  }
  return [...ticksBySlot.values()].sort((a, b) => a.x - b.x)
}

/** Returns the ticks of one camera's visits: one per visit, at its start. A tick has the ids of all clips of its visits. */
export function createVisitTicks(visits: readonly Visit[], view: Span, width: number): Tick[] {
  const inView = visits.filter(({ begin }) => begin >= view.begin && begin <= view.end)
  const clipIds = new Map(inView.map(({ clips }) => [clips[0]?.event_id, clips.map(({ event_id }) => event_id)]))
  return createTicks(inView.map(summarizeVisit), view, width).map((tick) => ({
    ...tick,
    ids: tick.ids.flatMap((id) => clipIds.get(id) ?? id),
  }))
}

/** Returns the tick nearest to `x`; null if none is within `reach` CSS pixels. */
export function findNearestTick(ticks: readonly Tick[], x: number, reach = TICK_HIT_RADIUS_PX): Tick | null {
  let found: Tick | null = null
  for (const tick of ticks) if (Math.abs(tick.x - x) <= (found ? Math.abs(found.x - x) : reach)) found = tick
  return found
}

/** Returns the next tick after the instant `at` (ms UTC), or the previous one for -1; null if there is none. */
export function findNeighborTick(ticks: readonly Tick[], at: number, direction: 1 | -1): Tick | null {
  if (direction === 1) return ticks.find((tick) => tick.at > at) ?? null
  return ticks.findLast((tick) => tick.at < at) ?? null
}
