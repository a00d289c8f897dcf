import { useStore } from '@nanostores/react'
import ChevronDown from 'lucide-react/icons/chevron-down'
import Info from 'lucide-react/icons/info'
import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { formatCount } from '../../../domain/copy/counts.ts'
import { totalsText } from '../../../domain/events/timeline-totals.ts'
import { $homeTimeZone, loadHomeTimeZone } from '../../../stores/account/home-time-zone.ts'
import { $eventFilter, $openCamera } from '../../../stores/events/event-url.ts'
import { $eventCameras } from '../../../stores/events/event-cameras.ts'
import { $timeline, $timelineView, watchTimeline, getTimelineView } from '../../../stores/events/timeline.ts'
import { $timelineCursor } from '../../../stores/events/timeline-cursor.ts'
import { EventsOverview } from '../parts/EventsOverview.tsx'
import { ExportListButton } from '../parts/ExportListButton.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { Axis } from '../../../ui/Axis.tsx'
import { TimelineCursorOverlay } from './TimelineCursor.tsx'
import { type CameraStrip, useIsLoadingEvents, useCameraStrips } from './camera-strips.ts'
import { Legend } from './Legend.tsx'
import { StripRow } from './StripRow.tsx'
import { useTimelineGestures } from './use-gestures.ts'
import { useWidth } from '../../../ui/use-width.ts'
import { ZoneNote } from '../../../ui/ZoneNote.tsx'

const ignoreRowChange = () => undefined

/**
 * Strip above the list on phones, for the open clip's camera or else the first camera. A button opens the strips of all
 * cameras as a separate page.
 */
export function PhoneStrip() {
  const filter = useDeferredValue(useStore($eventFilter))
  // Deferred like the filter, because an open clip covers the strip.
  const openCamera = useDeferredValue(useStore($openCamera))
  const selectedView = useStore($timelineView)
  const cameras = useStore($eventCameras)
  const now = useNow()
  useEffect(watchTimeline, [])
  const track = useRef<HTMLDivElement>(null)
  const grid = useRef<HTMLDivElement>(null)
  const view = useMemo(() => getTimelineView(now, selectedView), [now, selectedView])
  const width = useWidth(track)
  const strips = useCameraStrips(filter, view, width, now)
  const strip = strips.find(({ camera }) => camera.device_id === openCamera) ?? strips[0]
  const visibleStrips = useMemo(() => (strip ? [strip] : []), [strip])
  useTimelineGestures(grid, visibleStrips)
  const isFilling = useIsLoadingEvents()
  const isLoading = useStore($timeline).state === 'loading'
  const [hasLegend, showLegend] = useState(false)
  const [isAllStripsOpen, setAllStripsOpen] = useState(false)

  return (
    <>
      <section aria-label="Timeline" className="phone-strip">
        <header>
          <h2>{strip ? strip.camera.nickname : isLoading && <i className="skeleton tl-bar" />}</h2>
          <button type="button" className="link-button" aria-haspopup="dialog" onClick={() => setAllStripsOpen(true)}>
            {cameras.length > 1 ? formatCount(strips.length, 'camera') : 'More'}
            <ChevronDown size={18} aria-hidden />
          </button>
        </header>
        <div ref={grid} role="grid" aria-busy={isFilling} aria-label="Timeline" className="tl-grid">
          {strip && <StripRow lane={strip} now={now} row={0} isTabStop isPhone onRow={ignoreRowChange} />}
          {!strip && <div className="tl-cell">{isLoading && <i aria-hidden className="skeleton tl-strip" />}</div>}
          <div ref={track} aria-hidden className="tl-track">
            {strip && <CursorHandle lane={strip} />}
            <TimelineCursorOverlay track={track} lanes={visibleStrips} now={now} />
          </div>
        </div>
        <Axis view={view} width={width} />
        <p className="phone-strip-foot">
          <span>
            {isLoading && <i className="skeleton tl-bar" />}
            {strip?.totals && totalsText(strip.totals, view)}
          </span>
          <button
            type="button"
            className="icon-btn"
            aria-label="Color legend"
            aria-expanded={hasLegend}
            onClick={() => showLegend(!hasLegend)}
          >
            <Info size={18} aria-hidden />
          </button>
        </p>
        <ZoneNote homeZone={useStore($homeTimeZone)} load={loadHomeTimeZone} className="text-ink-2 pb-2" />
        {hasLegend && <Legend lanes={visibleStrips} hint="" />}
      </section>
      {isAllStripsOpen && <AllCamerasDialog onClose={() => setAllStripsOpen(false)} />}
    </>
  )
}

function CursorHandle({ lane }: { lane: CameraStrip }) {
  const cursor = useStore($timelineCursor)
  const x = cursor?.deviceId === lane.camera.device_id ? cursor.x : lane.width
  return <div className="tl-handle" style={{ left: x }} />
}

function AllCamerasDialog({ onClose }: { onClose: () => void }) {
  const page = useRef<HTMLDialogElement>(null)
  // Opens before the first paint: a closed dialog has no layout, so its content would have no size.
  useLayoutEffect(() => page.current?.showModal(), [])
  return (
    <dialog ref={page} aria-label="Timeline" className="phone-page" onClose={onClose}>
      <div>
        <EventsOverview compact onBack={() => page.current?.close()} />
        <ExportListButton />
      </div>
    </dialog>
  )
}
