import { useStore } from '@nanostores/react'
import { memo, type RefObject, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { formatInstant, viewLabel } from '../../../domain/events/timeline-viewport.ts'
import { $eventFilter } from '../../../stores/events/event-url.ts'
import {
  $playhead,
  $timeline,
  $timelineView,
  watchTimeline,
  reloadTimeline,
  getTimelineView,
} from '../../../stores/events/timeline.ts'
import type { Span } from '../../../domain/time/date-range.ts'
import { useIsPhone } from '../../../ui/use-media.ts'
import { useNow } from '../../../ui/use-now.ts'
import { Axis } from '../../../ui/Axis.tsx'
import { TimelineCursorOverlay } from './TimelineCursor.tsx'
import { type CameraStrip, useIsLoadingEvents, useCameraStrips } from './camera-strips.ts'
import { Legend } from './Legend.tsx'
import { StripRow } from './StripRow.tsx'
import { TimelineHead } from './TimelineHead.tsx'
import { useTimelineGestures } from './use-gestures.ts'
import { useWidth } from '../../../ui/use-width.ts'

/**
 * Timeline: one strip per camera, with the ticks of its events above. Supports pointing, dragging, zooming and keyboard
 * navigation. `onBack` closes the timeline if it is a separate page.
 */
export const Timeline = memo(function Timeline({ onBack }: { onBack?: (() => void) | undefined }) {
  const filter = useDeferredValue(useStore($eventFilter))
  const loaded = useStore($timeline)
  const now = useNow()
  const selectedView = useStore($timelineView)
  const isPhone = useIsPhone() === true
  useEffect(watchTimeline, [])
  const track = useRef<HTMLDivElement>(null)
  const view = useMemo(() => getTimelineView(now, selectedView), [now, selectedView])
  const width = useWidth(track)
  const strips = useCameraStrips(filter, view, width, now)

  return (
    <section aria-label="Timeline" className="tl">
      <TimelineHead view={view} lanes={strips} now={now} onBack={onBack} />
      <div className="tl-box">
        {loaded.state === 'failed' ? (
          <div role="alert" className="tl-failed">
            <p>{loaded.failure.text}</p>
            <button type="button" className="btn btn-outline btn-sm" onClick={reloadTimeline}>
              Try again
            </button>
          </div>
        ) : (
          <TimelineGrid lanes={strips} view={view} width={width} now={now} isPhone={isPhone} track={track} />
        )}
        <Legend lanes={strips} hint={isPhone ? '' : 'Drag to scrub, scroll to zoom'} />
      </div>
    </section>
  )
})

interface TimelineGridProps {
  readonly lanes: readonly CameraStrip[]
  readonly view: Span
  /** Width of the strips, CSS pixels. */
  readonly width: number
  readonly now: number
  readonly isPhone: boolean
  readonly track: RefObject<HTMLDivElement | null>
}

function TimelineGrid({ lanes, view, width, now, isPhone, track }: TimelineGridProps) {
  const grid = useRef<HTMLDivElement>(null)
  useTimelineGestures(grid, lanes)
  const isFilling = useIsLoadingEvents()
  const [row, setRow] = useState(0)
  const last = lanes.length - 1
  const goToRow = useCallback((to: number) => setRow(Math.max(0, Math.min(last, to))), [last])
  return (
    <div
      ref={grid}
      role="grid"
      aria-busy={isFilling}
      aria-label={`Timeline, ${viewLabel(view, now)}`}
      aria-description="Left and right arrow keys move between events, or between states with Shift. Up and down arrow keys change cameras. Enter opens the event, A opens all cameras at that moment, and plus and minus zoom."
      className="tl-grid"
      data-single={lanes.length === 1 || undefined}
    >
      <div aria-hidden className="tl-head-row">
        <FlaggedAxis view={view} width={width} now={now} />
        {!isPhone && <span className="tl-sum">Camera on</span>}
      </div>
      {lanes.map((strip, i) => (
        <StripRow
          key={strip.camera.device_id}
          lane={strip}
          now={now}
          isPhone={isPhone}
          row={i}
          isTabStop={i === Math.min(row, last)}
          onRow={goToRow}
        />
      ))}
      {lanes.length === 0 && <RowsSkeleton />}
      <div ref={track} aria-hidden className="tl-track">
        <Playhead view={view} now={now} />
        <TimelineCursorOverlay track={track} lanes={lanes} now={now} />
      </div>
    </div>
  )
}

/** Rows until the cameras have loaded. */
function RowsSkeleton() {
  if (useStore($timeline).state !== 'loading') return null
  return Array.from({ length: 6 }, (_, i) => (
    <div key={i} aria-hidden className="tl-row">
      <span className="tl-name">
        <i className="skeleton tl-bar" />
      </span>
      <span className="tl-cell">
        <i className="skeleton tl-strip" />
      </span>
      <span className="tl-sum">
        <i className="skeleton tl-bar" />
      </span>
    </div>
  ))
}

/** Axis without the labels that the flag of the playhead covers. */
function FlaggedAxis({ view, width, now }: { view: Span; width: number; now: number }) {
  const at = useStore($playhead)
  const isVisible = at !== null && at >= view.begin && at <= view.end
  return <Axis view={view} width={width} flag={isVisible ? { at, label: formatInstant(at, now) } : null} />
}

/** Playhead of the open clip. Its time label stays within the width of the strips. */
function Playhead({ view: { begin, end }, now }: { view: Span; now: number }) {
  const at = useStore($playhead)
  if (at === null || at < begin || at > end) return null
  const position = `${((at - begin) / (end - begin)) * 100}%`
  return (
    <div className="tl-playhead" style={{ left: position }}>
      <span data-flag style={{ translate: `-${position}` }}>
        {formatInstant(at, now)}
      </span>
    </div>
  )
}
