import { useStore } from '@nanostores/react'
import { useDeferredValue, useMemo } from 'react'
import { rangeLabel } from '../../../domain/time/date-formats.ts'
import { countEventsByDayAndHour, countEventsByHour } from '../../../domain/events/event-statistics.ts'
import { passesFilter } from '../../../domain/events/event-filter.ts'
import { resolveRange } from '../../../domain/events/event-url.ts'
import { $homeTimeZone, loadHomeTimeZone } from '../../../stores/account/home-time-zone.ts'
import { $eventFilter } from '../../../stores/events/event-url.ts'
import { $cameraNames, $eventCameras } from '../../../stores/events/event-cameras.ts'
import { $events, $filteredEvents } from '../../../stores/events/events.ts'
import { BusyHours } from './BusyHours.tsx'
import { KeyFigures } from './KeyFigures.tsx'
import {
  createCameraRows,
  createDayRows,
  describeCameraRows,
  describeDayRows,
  listHeatMapDays,
} from './heat-map-rows.ts'
import { Timeline } from '../timeline/Timeline.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { ZoneNote } from '../../../ui/ZoneNote.tsx'

interface OverviewProps {
  readonly compact: boolean
  /** Called to leave the overview; set if the overview is a separate page. */
  readonly onBack?: (() => void) | undefined
}

/**
 * Timeline, busy hours and key figures of the events page; `compact` omits the key figures. If the space is too small,
 * timeline.css hides the busy hours.
 */
export function EventsOverview({ compact, onBack }: OverviewProps) {
  const events = useStore($events)
  // Deferred, because counting 10,000 events takes longer than a frame; the list is painted first.
  const visibleEvents = useDeferredValue(useStore($filteredEvents))
  const cameras = useStore($eventCameras)
  const names = useStore($cameraNames)
  const filter = useDeferredValue(useStore($eventFilter))
  const now = useNow()
  const homeZone = useStore($homeTimeZone)
  const { start, end } = resolveRange(filter, now)
  const onlyCamera = getOnlyCamera(
    cameras.map(({ device_id }) => device_id),
    filter,
  )
  const eventCounts = useMemo(() => {
    if (onlyCamera) return countEventsByDayAndHour(visibleEvents, listHeatMapDays({ start, end }, now))
    const all = cameras.map(({ device_id }) => device_id)
    const selectedIds = all.filter((id) => filter.cameras.length === 0 || filter.cameras.includes(id))
    if (filter.hour === null || events.state !== 'ready') return countEventsByHour(visibleEvents, selectedIds)
    // While a cell is chosen, counts the events of all cells, so that the user can choose another cell.
    const wider = { ...filter, cameras: [], hour: null }
    return countEventsByHour(
      events.events.filter((event) => passesFilter(event, wider)),
      all,
    )
  }, [visibleEvents, events, cameras, filter, onlyCamera, start, end, now])
  const range = now === 0 ? '' : rangeLabel(start, end)
  if (events.state === 'failed') return null
  const isReady = events.state === 'ready' && !events.isFilling
  const name = (id: string) => names.get(id) ?? 'A camera'

  return (
    <>
      <ZoneNote homeZone={homeZone} load={loadHomeTimeZone} className="text-ink-2 px-2" />
      {!compact && <KeyFigures counts={eventCounts} onlyCamera={onlyCamera} range={range} isReady={isReady} />}
      <Timeline onBack={onBack} />
      <div className={onBack ? 'contents' : compact ? 'tl-if-high' : 'tl-hours'}>
        <BusyHours
          busy={eventCounts}
          rows={onlyCamera ? createDayRows(filter, now) : createCameraRows(filter, name)}
          sentence={
            onlyCamera
              ? describeDayRows(eventCounts, isReady, name(onlyCamera))
              : describeCameraRows(eventCounts, range, isReady, name)
          }
          compact={compact}
        />
      </div>
    </>
  )
}

/**
 * Returns the id of the camera whose days are the rows of the heat map: the only camera of the list. null while a cell
 * of another heat map is chosen, because the user may choose another cell.
 */
function getOnlyCamera(
  cameraIds: readonly string[],
  filter: { cameras: readonly string[]; hour: number | null },
): string | null {
  if (cameraIds.length === 1) return cameraIds[0] ?? null
  return filter.cameras.length === 1 && filter.hour === null ? (filter.cameras[0] ?? null) : null
}
