import { useStore } from '@nanostores/react'
import { type KeyboardEvent, memo, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { Event } from '../../../../contract/events.ts'
import type { TimelineRun } from '../../../../contract/timeline.ts'
import type { Span } from '../../../domain/date-range.ts'
import { eventTicks } from '../../../domain/ticks.ts'
import { cut, runAt, runLabel, shownState } from '../../../domain/timeline-view.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { $openCamera, openEvent } from '../../../stores/events/event-address.ts'
import { panTimeline, zoomTimeline } from '../../../stores/events/timeline.ts'
import { paintStrip } from '../../../ui/strip-paint.ts'
import { paintTicks } from '../../../ui/tick-paint.ts'
import { useIsDark } from './use-dark.ts'

interface StripProps {
  readonly camera: Device
  readonly view: Span
  readonly now: number
  /** Null while they are on their way. */
  readonly runs: readonly TimelineRun[] | null
  readonly events: readonly Event[]
  readonly shown: readonly Event[]
  /** Which of the strips it is, from the top. */
  readonly row: number
  readonly isTabStop: boolean
  /** Its tooltip goes below it, so that it covers no other label. */
  readonly isUpper: boolean
  readonly onRow: (row: number) => void
}

/** One camera: painted by the second. Left and right walk from run to run, up and down to other cameras, Enter opens. */
export const TimelineStrip = memo(function TimelineStrip(props: StripProps) {
  const { camera, view, now, runs, events, shown, isTabStop, isUpper } = props
  const cell = useRef<HTMLDivElement>(null)
  const openCamera = useStore($openCamera)
  const [at, setAt] = useState<number | null>(null)
  const visible = useMemo(() => visibleRuns(runs ?? [], view, events, shown), [runs, view, events, shown])
  const { canvas, lane } = usePainting(visible, view, shown)
  const current = visible.find(({ run: [from, to] }) => at !== null && from <= at && at < to)
  const inside = current ? eventsIn(shown, current.run) : []
  const label = current ? runLabel(whole(runs ?? [], current.run), current.state, now) : null
  const spoken = label
    ? [label.title, label.reason, ...inside.map(({ title }) => title)].filter(Boolean).join('. ')
    : 'Not loaded yet'

  const timeAt = (pointer: PointerEvent) => {
    const box = pointer.currentTarget.getBoundingClientRect()
    return view.begin + ((pointer.clientX - box.left) / box.width) * (view.end - view.begin)
  }
  const walk = useWalk(props, visible, at, setAt, inside)

  return (
    <div role="row" className="timeline-row">
      <span
        role="rowheader"
        className={`text-small truncate pr-2 font-bold ${camera.device_id === openCamera ? 'text-primary-ink' : ''}`}
      >
        {camera.nickname}
      </span>
      <div
        ref={cell}
        role="gridcell"
        tabIndex={isTabStop ? 0 : -1}
        aria-label={`${camera.nickname}: ${spoken}`}
        data-strip={camera.device_id}
        className="relative rounded-[7px]"
        onKeyDown={walk}
        onFocus={(focus) => focus.currentTarget.matches(':focus-visible') && setAt((known) => known ?? view.end - 1)}
        onBlur={() => setAt(null)}
        onPointerMove={(pointer) => setAt(timeAt(pointer))}
        onPointerLeave={() => setAt(null)}
        onClick={() => inside[0] && open(inside[0])}
      >
        <canvas ref={canvas} aria-hidden className="absolute inset-0 size-full rounded-[7px]" />
        <canvas ref={lane} aria-hidden className="absolute inset-x-0 bottom-full h-2.5 w-full" />
        {current && label && at !== null && (
          <Tooltip
            run={current.run}
            view={view}
            label={label}
            titles={inside.map(({ title }) => title)}
            isBelow={isUpper}
          />
        )}
      </div>
    </div>
  )
})

const open = (event: Event) => openEvent({ eventId: event.event_id, deviceId: event.device_id })

interface VisibleRun {
  readonly run: TimelineRun
  readonly state: ReturnType<typeof shownState>
}

function visibleRuns(
  runs: readonly TimelineRun[],
  view: Span,
  events: readonly Event[],
  shown: readonly Event[],
): VisibleRun[] {
  const ids = new Set(shown.map(({ event_id }) => event_id))
  return cut(runs, view).map((run) => ({ run, state: shownState(run, events, ({ event_id }) => ids.has(event_id)) }))
}

/** The run as it is, not cut to the view. */
const whole = (runs: readonly TimelineRun[], run: TimelineRun): TimelineRun => runAt(runs, run[0]) ?? run

function eventsIn(shown: readonly Event[], [from, to]: TimelineRun): Event[] {
  return shown.filter(({ event_ts }) => from - 10_000 <= event_ts && event_ts < to).toReversed()
}

function usePainting(visible: readonly VisibleRun[], view: Span, shown: readonly Event[]) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const lane = useRef<HTMLCanvasElement>(null)
  const isDark = useIsDark()
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const paint = () => {
      if (lane.current)
        paintTicks(lane.current, { ticks: eventTicks(shown, view, lane.current.clientWidth), taken: null, isDark })
      paintStrip(element, {
        view,
        runs: visible.map(({ run: [from, to], state }) => ({ from, to, state })),
        isDark,
        gap: isDark ? '#1d1726' : '#fff',
      })
    }
    paint()
    const observer = new ResizeObserver(paint)
    observer.observe(element)
    return () => observer.disconnect()
  }, [visible, view, shown, isDark])
  return { canvas, lane }
}

/** Keys of a strip. */
function useWalk(
  { view, row, onRow }: StripProps,
  visible: readonly VisibleRun[],
  at: number | null,
  setAt: (at: number) => void,
  inside: readonly Event[],
) {
  return (key: KeyboardEvent<HTMLElement>): void => {
    const index = visible.findIndex(({ run: [from, to] }) => at !== null && from <= at && at < to)
    const go = (to: number) => {
      const run = visible[Math.max(0, Math.min(visible.length - 1, to))]
      // Runs that are on their way will have the end of the view in them.
      setAt(run ? run.run[0] : view.end - 1)
    }
    const walk = (step: 1 | -1) => {
      onRow(row + step)
      const cells = [
        ...(key.currentTarget.closest('[role=grid]')?.querySelectorAll<HTMLElement>('[role=gridcell]') ?? []),
      ]
      cells[cells.indexOf(key.currentTarget) + step]?.focus()
    }
    const actions: Record<string, () => void> = {
      ArrowLeft: () => go(index - 1),
      ArrowRight: () => go(index + 1),
      Home: () => go(0),
      End: () => go(visible.length - 1),
      ArrowUp: () => walk(-1),
      ArrowDown: () => walk(1),
      PageUp: () => panTimeline(-(view.end - view.begin) / 2),
      PageDown: () => panTimeline((view.end - view.begin) / 2),
      '+': () => zoomTimeline(1 / 2, at ?? undefined),
      '-': () => zoomTimeline(2, at ?? undefined),
      Enter: () => inside[0] && open(inside[0]),
    }
    const action = actions[key.key]
    if (!action || key.ctrlKey || key.metaKey || key.altKey) return
    key.preventDefault()
    key.stopPropagation()
    action()
  }
}

interface TooltipProps {
  readonly run: TimelineRun
  readonly view: Span
  readonly label: { readonly title: string; readonly reason: string }
  readonly titles: readonly string[]
  readonly isBelow: boolean
}

function Tooltip({ run: [from, to], view, label, titles, isBelow }: TooltipProps) {
  const middle = (((from + to) / 2 - view.begin) / (view.end - view.begin)) * 100
  const side = middle < 20 ? '' : middle > 80 ? '-translate-x-full' : '-translate-x-1/2'
  return (
    <div
      aria-hidden
      className={`bg-tooltip text-micro shadow-menu pointer-events-none absolute z-20 w-max max-w-80 rounded-[12px] px-3 py-2 text-white ${side} ${isBelow ? 'top-full mt-1.5' : 'bottom-full mb-1.5'}`}
      style={{ left: `${middle}%` }}
    >
      <p className="font-bold">{label.title}</p>
      {label.reason && <p>{label.reason}</p>}
      {titles.slice(0, 3).map((title, i) => (
        <p key={i}>{title}</p>
      ))}
      {titles.length > 3 && <p>and {titles.length - 3} more</p>}
    </div>
  )
}
