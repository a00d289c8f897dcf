import { formatCount } from '../../../domain/copy/counts.ts'
import { useStore } from '@nanostores/react'
import { type MouseEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import type { TimelineRun } from '../../../../contract/events/timeline.ts'
import { formatDaySummary } from '../../../domain/copy/camera-day.ts'
import type { Span } from '../../../domain/time/date-range.ts'
import { endOfDay, startOfDay } from '../../../domain/time/local-time.ts'
import {
  createTicks,
  findNearestTick,
  type Tick,
  TICK_NAMES,
  type TickKind,
} from '../../../domain/events/timeline-ticks.ts'
import { STATE_NAMES, type ShownState } from '../../../domain/events/timeline-viewport.ts'
import { $cameraDay } from '../../../stores/live/camera-day.ts'
import { paintStrip, paintSwatch } from '../../../ui/strip-paint.ts'
import { TickMark } from '../../../ui/TickMark.tsx'
import { paintTicks } from '../../../ui/tick-paint.ts'
import { formatEventHref } from '../parts/event-href.ts'
import { useClockTick } from '../parts/use-now.ts'
import { formatClock } from '../../../domain/time/clock-time.ts'
import { wholeHourLabel } from '../../../domain/time/hour-label.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../contract/time-units.ts'

const LABELED_HOURS = [0, 3, 6, 9, 12, 15, 18, 21]
/**
 * Hour from which the time label is left of the current-time mark. On narrow strips, the label moves to the left
 * earlier: when less than `NOW_LABEL_WIDTH_PX` remains to the right.
 */
const LATE_HOUR = 22
const NOW_LABEL_WIDTH_PX = 108
const LEGEND_KINDS: readonly TickKind[] = ['motion', 'person', 'sound']

/** One camera's day from midnight to midnight, with its events as ticks above. A click opens the nearest event. */
export function DayTimeline({ events, isLive }: { events: readonly Event[]; isLive: boolean }) {
  const day = useStore($cameraDay)
  const now = useClockTick(MINUTE_MS)?.getTime() ?? 0
  const view = useMemo(() => ({ begin: startOfDay(now), end: endOfDay(now) + 1 }), [now])
  const runs = useMemo(() => (day.state === 'ready' ? completeDay(day.runs, view) : []), [day, view])
  const recordings = runs.filter(([, , state]) => state === 'recorded').length
  const summary = [recordings > 0 && formatCount(recordings, 'recording'), formatDaySummary(runs)]
  return (
    <section className="one-day" aria-label="Today">
      <div className="one-day-head">
        <h2>Today</h2>
        <p>{day.state === 'failed' ? 'Couldn’t load today’s timeline.' : summary.filter(Boolean).join(' · ')}</p>
        <Legend runs={runs} />
      </div>
      <TimelineStrip
        view={view}
        runs={runs}
        events={events}
        now={now}
        isLive={isLive}
        isLoading={day.state === 'loading'}
      />
      <div className="one-hours" aria-hidden="true">
        {LABELED_HOURS.map((hour) => (
          <span key={hour} style={{ left: `${toPercent(view, new Date(view.begin).setHours(hour))}%` }}>
            {wholeHourLabel(hour)}
          </span>
        ))}
      </div>
    </section>
  )
}

const toPercent = ({ begin, end }: Span, at: number) => ((at - begin) / (end - begin)) * 100

function completeDay(segments: readonly TimelineRun[], { begin, end }: Span): TimelineRun[] {
  const today = segments.filter(([, to]) => to > begin)
  return [...today, [today.at(-1)?.[1] ?? begin, end, 'unknown', '']]
}

interface TimelineStripProps {
  view: Span
  runs: readonly TimelineRun[]
  events: readonly Event[]
  now: number
  isLive: boolean
  isLoading: boolean
}

function TimelineStrip({ view, runs, events, now, isLive, isLoading }: TimelineStripProps) {
  const stripCanvas = useRef<HTMLCanvasElement>(null)
  const tickCanvas = useRef<HTMLCanvasElement>(null)
  const width = useWidth(stripCanvas)
  const [selected, setSelected] = useState<Tick | null>(null)
  const ticks = useMemo(() => createTicks(events, view, width), [events, view, width])
  const findEvent = (tick: Tick | null) => events.find(({ event_id }) => event_id === tick?.ids[0])
  const findTickAt = ({ clientX, currentTarget }: MouseEvent<HTMLElement>) =>
    findNearestTick(ticks, clientX - currentTarget.getBoundingClientRect().x, Infinity)
  const event = findEvent(selected)
  useEffect(() => {
    const segments = runs.map(([from, to, state]) => ({ from, to, state }))
    if (stripCanvas.current)
      paintStrip(stripCanvas.current, { view, runs: segments, isDark: true, gapColor: 'transparent' })
  }, [view, runs, width])
  useEffect(() => {
    if (tickCanvas.current) paintTicks(tickCanvas.current, { ticks, taken: selected, isDark: true })
  }, [ticks, selected, width])
  const isLabelOnLeft =
    now - view.begin >= LATE_HOUR * HOUR_MS || (1 - toPercent(view, now) / 100) * width < NOW_LABEL_WIDTH_PX
  return (
    <div
      className="one-line"
      role="img"
      aria-label={`Timeline with ${formatCount(events.length, 'event')} today`}
      title={event ? `${event.title}, ${formatClock(event.event_ts)}` : undefined}
      data-taken={event !== undefined}
      onPointerMove={(pointer) => setSelected(findTickAt(pointer))}
      onPointerLeave={() => setSelected(null)}
      onClick={(click) => {
        const nearest = findEvent(findTickAt(click))
        if (nearest) location.assign(formatEventHref(nearest))
      }}
    >
      <canvas ref={tickCanvas} className="one-lane" />
      <canvas ref={stripCanvas} className="one-strip" />
      {isLoading && <i className="skeleton one-strip-wait" />}
      <i className="one-now" data-late={isLabelOnLeft} style={{ left: `${toPercent(view, now)}%` }}>
        <b>
          {isLive ? 'Live' : 'Now'} {formatClock(now)}
        </b>
      </i>
    </div>
  )
}

function useWidth(element: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}

/**
 * Legend of event types and states of the day. Omits `recorded`, `unknown`, and states whose segments are all shorter
 * than a minute and therefore not visible.
 */
function Legend({ runs }: { runs: readonly TimelineRun[] }) {
  const visibleStates = runs.filter(([from, to]) => to - from >= MINUTE_MS).map(([, , state]) => state)
  const states: ShownState[] = [...new Set(visibleStates)].filter(
    (state) => state !== 'recorded' && state !== 'unknown',
  )
  return (
    <ul className="one-legend" aria-hidden="true">
      {LEGEND_KINDS.map((kind) => (
        <li key={kind}>
          <TickMark kind={kind} isDark />
          {TICK_NAMES[kind]}
        </li>
      ))}
      {states.map((state) => (
        <li key={state}>
          <canvas ref={(canvas) => void (canvas && paintSwatch(canvas, state, true))} />
          {STATE_NAMES[state]}
        </li>
      ))}
    </ul>
  )
}
