import { useStore } from '@nanostores/react'
import ZoomIn from 'lucide-react/icons/zoom-in'
import ZoomOut from 'lucide-react/icons/zoom-out'
import { memo, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { Event } from '../../../../contract/events.ts'
import { timeLabel } from '../../../domain/dates.ts'
import { ticks, viewLabel } from '../../../domain/timeline-view.ts'
import { $filter } from '../../../stores/events/event-address.ts'
import { $cameras } from '../../../stores/events/event-cameras.ts'
import { $events, $shown } from '../../../stores/events/events.ts'
import {
  $playhead,
  $timeline,
  $view,
  followTimeline,
  reloadTimeline,
  showLastDay,
  viewNow,
  zoomTimeline,
} from '../../../stores/events/timeline.ts'
import { Legend } from './TimelineLegend.tsx'
import { TimelineStrip } from './TimelineStrip.tsx'
import { useIsPhone } from './use-media.ts'
import { useDrag } from './use-drag.ts'
import { useNow } from './use-now.ts'

const ZOOM = 2

/** What each camera did in every second: a strip per camera, which can be dragged, zoomed and walked through by keys. */
export const Timeline = memo(function Timeline() {
  const cameras = useStore($cameras)
  const filter = useDeferredValue(useStore($filter))
  const loaded = useStore($timeline)
  const now = useNow()
  const chosen = useStore($view)
  useEffect(followTimeline, [])
  const strips = useRef<HTMLDivElement>(null)
  useDrag(strips)
  const view = useMemo(() => viewNow(now, chosen), [now, chosen])
  const shown = cameras.filter(({ device_id }) => filter.cameras.length === 0 || filter.cameras.includes(device_id))
  const byCamera = useEventsByCamera()
  const [row, setRow] = useState(0)
  const last = shown.length - 1
  const goToRow = useCallback((to: number) => setRow(Math.max(0, Math.min(last, to))), [last])

  return (
    <section aria-label="Timeline" className="panel flex-none p-4.5 pt-4">
      <header className="flex items-center gap-2">
        <h2 className="text-[16px]! leading-[22px]! font-extrabold!">{viewLabel(view, now)}</h2>
        <p className="text-small text-ink-2 truncate max-md:hidden">every second accounted for</p>
        <span className="ml-auto flex flex-none items-center gap-1">
          {chosen.end >= 0 && (
            <button type="button" className="btn btn-outline btn-xs" onClick={showLastDay}>
              Last 24 hours
            </button>
          )}
          <button
            type="button"
            className="icon-btn"
            aria-label="Zoom out"
            title="Zoom out (-)"
            onClick={() => zoomTimeline(ZOOM)}
          >
            <ZoomOut size={18} aria-hidden />
          </button>
          <button
            type="button"
            className="icon-btn"
            aria-label="Zoom in"
            title="Zoom in (+)"
            onClick={() => zoomTimeline(1 / ZOOM)}
          >
            <ZoomIn size={18} aria-hidden />
          </button>
        </span>
      </header>
      {loaded.state === 'failed' ? (
        <div role="alert" className="flex items-center gap-3 py-6">
          <p className="text-ink-2">{loaded.failure.text}</p>
          <button type="button" className="btn btn-outline btn-sm" onClick={reloadTimeline}>
            Try again
          </button>
        </div>
      ) : (
        <div
          ref={strips}
          role="grid"
          aria-label={`Timeline, ${viewLabel(view, now)}`}
          className="timeline relative mt-2"
        >
          <Axis view={view} />
          {shown.map((camera, i) => (
            <TimelineStrip
              key={camera.device_id}
              camera={camera}
              view={view}
              now={now}
              runs={(loaded.state === 'ready' && loaded.runs.get(camera.device_id)) || null}
              events={byCamera.all.get(camera.device_id) ?? NONE}
              shown={byCamera.shown.get(camera.device_id) ?? NONE}
              row={i}
              isTabStop={i === Math.min(row, last)}
              isUpper={i < shown.length / 2}
              onRow={goToRow}
            />
          ))}
          <Playhead begin={view.begin} end={view.end} />
        </div>
      )}
      <Legend loaded={loaded} />
    </section>
  )
})

const NONE: readonly Event[] = []

function useEventsByCamera() {
  // The list is painted first.
  const events = useDeferredValue(useStore($events))
  const shown = useDeferredValue(useStore($shown))
  return useMemo(
    () => ({
      all: Map.groupBy(events.state === 'ready' ? events.events : NONE, ({ device_id }) => device_id),
      shown: Map.groupBy(shown, ({ device_id }) => device_id),
    }),
    [events, shown],
  )
}

/** About so many labels have room, and each needs this share of the axis to its right. */
const TICKS = { phone: { most: 3, room: 0.15 }, wide: { most: 9, room: 0.05 } }

function Axis({ view: { begin, end } }: { view: { begin: number; end: number } }) {
  const { most, room } = TICKS[useIsPhone() ? 'phone' : 'wide']
  return (
    <div aria-hidden className="timeline-axis text-micro text-ink-2 relative h-6 font-[650]">
      {ticks({ begin, end }, most)
        .filter(({ at }) => (end - at) / (end - begin) > room)
        .map(({ at, label }) => (
          <span
            key={at}
            className="absolute top-1 whitespace-nowrap"
            style={{ left: `${((at - begin) / (end - begin)) * 100}%` }}
          >
            {label}
          </span>
        ))}
    </div>
  )
}

/** Where the open clip is; its flag stays between the ends of the strips. */
function Playhead({ begin, end }: { begin: number; end: number }) {
  const at = useStore($playhead)
  if (at === null || at < begin || at > end) return null
  const place = `${((at - begin) / (end - begin)) * 100}%`
  return (
    <div aria-hidden className="timeline-axis pointer-events-none absolute inset-y-0 right-0 left-0">
      <div className="bg-ink absolute inset-y-0 w-0.5" style={{ left: place }}>
        <span
          data-flag
          className="bg-tooltip absolute top-0 left-0 h-[20px] rounded-md px-1.5 text-[11px] leading-[20px] font-bold text-white"
          style={{ translate: `-${place}` }}
        >
          {timeLabel(at)}
        </span>
      </div>
    </div>
  )
}
