import { useStore } from '@nanostores/react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ZoomIn from 'lucide-react/icons/zoom-in'
import ZoomOut from 'lucide-react/icons/zoom-out'
import { useMemo } from 'react'
import { watchTogetherLabel } from '../../../domain/copy/synced-playback.ts'
import type { Span } from '../../../domain/time/date-range.ts'
import { gapsSentence, totalsText } from '../../../domain/events/timeline-totals.ts'
import { cameraViewLabel, getLast24Hours, viewLabel } from '../../../domain/events/timeline-viewport.ts'
import { openSyncedMoment } from '../../../stores/events/synced-playback.ts'
import { $currentEvent } from '../../../stores/events/open-clip.ts'
import { $events } from '../../../stores/events/events.ts'
import { countCamerasAt } from '../../../domain/events/synced-playback.ts'
import { $playhead, showLastDay, zoomTimeline, zoomTimelineTo } from '../../../stores/events/timeline.ts'
import type { CameraStrip } from './camera-strips.ts'
import { MINUTE_MS } from '../../../../contract/time-units.ts'

const ZOOM_FACTOR = 2
const VIEW_LENGTHS = [
  { label: '24 h', name: '24 hours', ms: 1440 * MINUTE_MS },
  { label: '3 h', name: '3 hours', ms: 180 * MINUTE_MS },
  { label: '30 min', name: '30 minutes', ms: 30 * MINUTE_MS },
] as const

interface TimelineHeadProps {
  readonly view: Span
  readonly lanes: readonly CameraStrip[]
  readonly now: number
  readonly onBack: (() => void) | undefined
}

/** Title of the timeline, one sentence about its gaps, and buttons for zoom, the last 24 hours and synced playback. */
export function TimelineHead({ view, lanes, now, onBack }: TimelineHeadProps) {
  const onlyLane = lanes.length === 1 ? lanes[0] : undefined
  const summary = useMemo(
    () =>
      onlyLane
        ? onlyLane.totals && totalsText(onlyLane.totals, onlyLane.view)
        : gapsSentence(
            lanes.flatMap(({ camera, totals }) => (totals ? [{ name: camera.nickname, sums: totals }] : [])),
          ),
    [lanes, onlyLane],
  )
  const length = view.end - view.begin
  const isNow = view.end >= getLast24Hours(now).end - MINUTE_MS
  return (
    <header className="tl-head">
      {onBack && (
        <button type="button" className="icon-btn" aria-label="Back to list" onClick={onBack}>
          <ChevronLeft size={24} aria-hidden />
        </button>
      )}
      <h2>{onlyLane ? cameraViewLabel(onlyLane.camera.nickname, view, now) : viewLabel(view, now)}</h2>
      <p>{summary}</p>
      <span className="tl-zoom">
        <AllCamerasButton />
        {!isNow && (
          <button type="button" className="btn btn-outline btn-xs" onClick={showLastDay}>
            Last 24 hours
          </button>
        )}
        <span className="seg" role="group" aria-label="Time range">
          {VIEW_LENGTHS.map(({ label, name, ms }) => (
            <button
              key={label}
              type="button"
              title={name}
              aria-pressed={Math.abs(length - ms) < 1000}
              onClick={() => zoomTimelineTo(ms)}
            >
              {label}
            </button>
          ))}
        </span>
        <button
          type="button"
          className="icon-btn"
          aria-label="Zoom out"
          title="Zoom out (-)"
          onClick={() => zoomTimeline(ZOOM_FACTOR)}
        >
          <ZoomOut size={18} aria-hidden />
        </button>
        <button
          type="button"
          className="icon-btn"
          aria-label="Zoom in"
          title="Zoom in (+)"
          onClick={() => zoomTimeline(1 / ZOOM_FACTOR)}
        >
          <ZoomIn size={18} aria-hidden />
        </button>
      </span>
    </header>
  )
}

/** Opens synced playback. Hidden if no other camera recorded at the time of the open clip. */
function AllCamerasButton() {
  const isOpen = useStore($playhead) !== null
  const event = useStore($currentEvent)
  const list = useStore($events)
  const count = useMemo(
    () => (event && list.state === 'ready' ? countCamerasAt(list.events, event.event_ts) : 0),
    [event, list],
  )
  if (!isOpen || count < 2) return null
  return (
    <button
      type="button"
      className="btn btn-outline btn-xs"
      title="Play this moment from every camera that recorded it"
      onClick={() => openSyncedMoment($playhead.get() ?? Date.now())}
    >
      {watchTogetherLabel(count)}
    </button>
  )
}
