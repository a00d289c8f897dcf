import { useStore } from '@nanostores/react'
import { useDeferredValue, useMemo } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import type { TimelineRun } from '../../../../contract/events/timeline.ts'
import type { Span } from '../../../domain/time/date-range.ts'
import { type EventFilter, isNarrowing } from '../../../domain/events/event-filter.ts'
import { eventTicks, nearestTick, type Tick } from '../../../domain/events/timeline-ticks.ts'
import { type TimelineTotals, sumRuns } from '../../../domain/events/timeline-totals.ts'
import { cut, type ShownState, shownState } from '../../../domain/events/timeline-viewport.ts'
import { $eventCameras } from '../../../stores/events/event-cameras.ts'
import { $events, $filteredEvents } from '../../../stores/events/events.ts'
import { $timeline } from '../../../stores/events/timeline.ts'
import type { TimelineCursor } from '../../../stores/events/timeline-cursor.ts'
import type { Device } from '../../../stores/home/devices.ts'

export interface VisibleRun {
  readonly run: TimelineRun
  readonly state: ShownState
}

export interface CameraStrip {
  readonly camera: Device
  /** Width of the strip, CSS pixels; 0 before layout. */
  readonly width: number
  readonly view: Span
  /** Segments of the camera; null while they load. */
  readonly runs: readonly TimelineRun[] | null
  readonly visible: readonly VisibleRun[]
  readonly ticks: readonly Tick[]
  /** Events that pass the filter, newest first, in view or not. */
  readonly events: readonly Event[]
  readonly sums: TimelineTotals | null
}

const NONE: readonly Event[] = []

/** Returns true while events of the strips are loading. */
export function useIsFilling(): boolean {
  const events = useDeferredValue(useStore($events))
  return events.state === 'loading' || (events.state === 'ready' && events.filling)
}

export function useLanes(filter: EventFilter, view: Span, width: number, now: number): readonly CameraStrip[] {
  const cameras = useStore($eventCameras)
  const loaded = useStore($timeline)
  // Deferred values, so that the list paints before the strips.
  const events = useDeferredValue(useStore($events))
  const visibleEvents = useDeferredValue(useStore($filteredEvents))
  const all = useMemo(
    () => Map.groupBy(events.state === 'ready' ? events.events : NONE, ({ device_id }) => device_id),
    [events],
  )
  const passing = useMemo(() => Map.groupBy(visibleEvents, ({ device_id }) => device_id), [visibleEvents])
  return useMemo(() => {
    const hides = isNarrowing(filter)
    return cameras
      .filter(({ device_id }) => filter.cameras.length === 0 || filter.cameras.includes(device_id))
      .map((camera): CameraStrip => {
        const runs = (loaded.state === 'ready' && loaded.runs.get(camera.device_id)) || null
        const mine = passing.get(camera.device_id) ?? NONE
        return {
          ...{ camera, width, view, runs, events: mine },
          visible: visibleRuns(
            runs ?? [],
            view,
            hides ? { all: all.get(camera.device_id) ?? NONE, shown: mine } : null,
          ),
          ticks: eventTicks(mine, view, width),
          sums: runs && sumRuns(runs, view, now),
        }
      })
  }, [cameras, filter, loaded, all, passing, view, width, now])
}

function visibleRuns(
  runs: readonly TimelineRun[],
  view: Span,
  filtered: { all: readonly Event[]; shown: readonly Event[] } | null,
): VisibleRun[] {
  const inView = cut(runs, view)
  if (!filtered) return inView.map((run) => ({ run, state: run[2] }))
  const ids = new Set(filtered.shown.map(({ event_id }) => event_id))
  return inView.map((run) => ({ run, state: shownState(run, filtered.all, ({ event_id }) => ids.has(event_id)) }))
}

/** Returns the cursor at `x` CSS pixels from the left; snaps to a near tick. */
export function cursorAt(lane: CameraStrip, x: number): TimelineCursor {
  const { begin, end } = lane.view
  const within = Math.min(lane.width, Math.max(0, x))
  const at = begin + (within / Math.max(1, lane.width)) * (end - begin)
  const tick = nearestTick(lane.ticks, within)
  if (tick) return cursorAtTick(lane, tick)
  return { deviceId: lane.camera.device_id, at, x: within, tick: null, event: nearestPicture(lane.events, at) }
}

export function cursorAtTick(lane: CameraStrip, tick: Tick): TimelineCursor {
  const event = lane.events.find(({ event_id }) => event_id === tick.ids[0]) ?? null
  return { deviceId: lane.camera.device_id, at: tick.at, x: tick.x, tick, event }
}

/** Returns the cursor at an instant, without a selected tick. */
export function cursorOn(lane: CameraStrip, at: number): TimelineCursor {
  const { begin, end } = lane.view
  const x = ((at - begin) / (end - begin)) * lane.width
  return { deviceId: lane.camera.device_id, at, x, tick: null, event: nearestPicture(lane.events, at) }
}

/** Returns the event with a clip that is nearest to an instant. */
function nearestPicture(events: readonly Event[], at: number): Event | null {
  let found: Event | null = null
  for (const event of events) {
    if (event.event_resources.length === 0) continue
    if (!found || Math.abs(event.event_ts - at) < Math.abs(found.event_ts - at)) found = event
  }
  return found
}
