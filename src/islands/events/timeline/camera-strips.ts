import { useStore } from '@nanostores/react'
import { useDeferredValue, useMemo } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import type { TimelineRun } from '../../../../contract/events/timeline.ts'
import type { Span } from '../../../domain/time/date-range.ts'
import { type EventFilter, hasActiveFilter } from '../../../domain/events/event-filter.ts'
import { createVisitTicks, findNearestTick, type Tick } from '../../../domain/events/timeline-ticks.ts'
import { type TimelineTotals, sumSegments } from '../../../domain/events/timeline-totals.ts'
import { joinVisitSegments } from '../../../domain/events/visit-segments.ts'
import { groupVisits, summarizeVisit, type Visit } from '../../../domain/events/visits.ts'
import { cropSegments, type ShownState, getShownState } from '../../../domain/events/timeline-viewport.ts'
import { $eventCameras } from '../../../stores/events/event-cameras.ts'
import { $events, $filteredEvents } from '../../../stores/events/events.ts'
import { $timeline } from '../../../stores/events/timeline.ts'
import { $visitGapMs } from '../../../stores/events/visits.ts'
import type { TimelineCursor } from '../../../stores/events/timeline-cursor.ts'
import type { Device } from '../../../stores/home/devices.ts'

export interface VisibleSegment {
  readonly run: TimelineRun
  readonly state: ShownState
}

export interface CameraStrip {
  readonly camera: Device
  /** Width of the strip, CSS pixels; 0 before layout. */
  readonly width: number
  readonly view: Span
  /** Segments of the camera; null if they have not loaded. */
  readonly runs: readonly TimelineRun[] | null
  readonly visible: readonly VisibleSegment[]
  /** One tick per visit, at its start. */
  readonly ticks: readonly Tick[]
  /** Newest first; includes visits outside the view. */
  readonly visits: readonly Visit[]
  /** Events that pass the filter, newest first; includes events outside the view. */
  readonly events: readonly Event[]
  readonly totals: TimelineTotals | null
}

const NO_EVENTS: readonly Event[] = []

/**
 * Returns `compute` with a cache by its array, for the latest `gapMs`. `useMemo` would compute again whenever React
 * interrupts the deferred render, which it does for each frame of a clip that plays.
 */
function cacheByEvents<Result>(compute: (events: readonly Event[], gapMs: number) => Result) {
  const results = new WeakMap<readonly Event[], { readonly gapMs: number; readonly result: Result }>()
  return (events: readonly Event[], gapMs = 0): Result => {
    const cached = results.get(events)
    if (cached?.gapMs === gapMs) return cached.result
    const result = compute(events, gapMs)
    results.set(events, { gapMs, result })
    return result
  }
}

const groupByCamera = cacheByEvents((events) => Map.groupBy(events, ({ device_id }) => device_id))
const listVisits = cacheByEvents(groupVisits)

/** Returns true while the events of the strips are loading. */
export function useIsLoadingEvents(): boolean {
  const events = useDeferredValue(useStore($events))
  return events.state === 'loading' || (events.state === 'ready' && events.isFilling)
}

export function useCameraStrips(filter: EventFilter, view: Span, width: number, now: number): readonly CameraStrip[] {
  const cameras = useStore($eventCameras)
  const timelineState = useStore($timeline)
  const visitGapMs = useStore($visitGapMs)
  // Deferred, so that the list paints before the strips.
  const events = useDeferredValue(useStore($events))
  const visibleEvents = useDeferredValue(useStore($filteredEvents))
  const eventsByCamera = groupByCamera(events.state === 'ready' ? events.events : NO_EVENTS)
  const filteredByCamera = groupByCamera(visibleEvents)
  return useMemo(() => {
    const isFiltered = hasActiveFilter(filter)
    return cameras
      .filter(({ device_id }) => filter.cameras.length === 0 || filter.cameras.includes(device_id))
      .map((camera): CameraStrip => {
        const runs = (timelineState.state === 'ready' && timelineState.runs.get(camera.device_id)) || null
        const cameraEvents = filteredByCamera.get(camera.device_id) ?? NO_EVENTS
        const visits = listVisits(cameraEvents, visitGapMs)
        return {
          camera,
          width,
          view,
          runs,
          events: cameraEvents,
          visible: listVisibleSegments(
            runs ? joinVisitSegments(runs, visits) : [],
            view,
            isFiltered ? { all: eventsByCamera.get(camera.device_id) ?? NO_EVENTS, shown: cameraEvents } : null,
          ),
          ticks: createVisitTicks(visits, view, width),
          visits,
          totals: runs && sumSegments(runs, view, now),
        }
      })
  }, [cameras, filter, timelineState, visitGapMs, eventsByCamera, filteredByCamera, view, width, now])
}

function listVisibleSegments(
  segments: readonly TimelineRun[],
  view: Span,
  filtered: { all: readonly Event[]; shown: readonly Event[] } | null,
): VisibleSegment[] {
  const inView = cropSegments(segments, view)
  if (!filtered) return inView.map((run) => ({ run, state: run[2] }))
  const ids = new Set(filtered.shown.map(({ event_id }) => event_id))
  return inView.map((run) => ({ run, state: getShownState(run, filtered.all, ({ event_id }) => ids.has(event_id)) }))
}

/** Returns the cursor at `x` CSS pixels from the left edge, or on a nearby tick if there is one. */
export function createCursorAtX(strip: CameraStrip, x: number): TimelineCursor {
  const { begin, end } = strip.view
  const clampedX = Math.min(strip.width, Math.max(0, x))
  const at = begin + (clampedX / Math.max(1, strip.width)) * (end - begin)
  const tick = findNearestTick(strip.ticks, clampedX)
  if (tick) return createCursorAtTick(strip, tick)
  return {
    deviceId: strip.camera.device_id,
    at,
    x: clampedX,
    tick: null,
    event: findNearestEventWithClip(strip.events, at),
  }
}

export function createCursorAtTick(strip: CameraStrip, tick: Tick): TimelineCursor {
  const visit = strip.visits.find(({ clips }) => clips[0]?.event_id === tick.ids[0])
  const event = visit ? summarizeVisit(visit) : null
  return { deviceId: strip.camera.device_id, at: tick.at, x: tick.x, tick, event }
}

/** Returns the cursor at an instant, without a selected tick. */
export function createCursorAtTime(strip: CameraStrip, at: number): TimelineCursor {
  const { begin, end } = strip.view
  const x = ((at - begin) / (end - begin)) * strip.width
  return { deviceId: strip.camera.device_id, at, x, tick: null, event: findNearestEventWithClip(strip.events, at) }
}

function findNearestEventWithClip(events: readonly Event[], at: number): Event | null {
  let found: Event | null = null
  for (const event of events) {
    if (event.event_resources.length === 0) continue
    if (!found || Math.abs(event.event_ts - at) < Math.abs(found.event_ts - at)) found = event
  }
  return found
}
