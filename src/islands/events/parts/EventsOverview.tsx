import { useStore } from '@nanostores/react'
import { useDeferredValue, useMemo } from 'react'
import { wholeHourLabel } from '../../../domain/time/hour-label.ts'
import { formatNumber } from '../../../domain/copy/counts.ts'
import { rangeLabel } from '../../../domain/time/date-formats.ts'
import { countEventsByHour, countTodayEvents } from '../../../domain/events/event-statistics.ts'
import { passesFilter } from '../../../domain/events/event-filter.ts'
import { eventCountLabel } from '../../../domain/copy/event-labels.ts'
import { includesTime, resolveRange } from '../../../domain/events/event-url.ts'
import { $eventFilter } from '../../../stores/events/event-url.ts'
import { $cameraNames, $eventCameras } from '../../../stores/events/event-cameras.ts'
import { $events, $filteredEvents } from '../../../stores/events/events.ts'
import { BusyHours } from './BusyHours.tsx'
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
  const eventCounts = useMemo(() => {
    const all = cameras.map(({ device_id }) => device_id)
    const selectedIds = all.filter((id) => filter.cameras.length === 0 || filter.cameras.includes(id))
    if (filter.hour === null || events.state !== 'ready') return countEventsByHour(visibleEvents, selectedIds)
    // While a cell is chosen, counts the events of all cells, so that the user can choose another cell.
    const wider = { ...filter, cameras: [], hour: null }
    return countEventsByHour(
      events.events.filter((event) => passesFilter(event, wider)),
      all,
    )
  }, [visibleEvents, events, cameras, filter])
  const { today, todayUnseen } = useMemo(() => countTodayEvents(visibleEvents, now), [visibleEvents, now])
  const { start, end } = resolveRange(filter, now)
  const range = now === 0 ? '' : rangeLabel(start, end)
  if (events.state === 'failed') return null
  const isReady = events.state === 'ready' && !events.isFilling
  const busiestRow = eventCounts.rows.toSorted((a, b) => b.total - a.total)[0]
  const hasToday = includesTime(filter, now, now)
  const name = (id: string | undefined) => (id && names.get(id)) || 'A camera'
  const busiestHour = eventCounts.busiest && wholeHourLabel(eventCounts.busiest.hour)

  return (
    <>
      <ZoneNote className="text-ink-2 px-2" />
      {!compact && (
        <dl className="panel divide-line grid flex-none auto-cols-fr grid-flow-col divide-x py-4">
          {hasToday && (
            <KeyFigure
              label="Events today"
              value={events.state === 'ready' ? formatNumber(today) : null}
              note={`${formatNumber(todayUnseen)} not seen yet`}
            />
          )}
          <KeyFigure label="In this range" value={isReady ? formatNumber(visibleEvents.length) : null} note={range} />
          <KeyFigure
            label="Most from"
            value={isReady ? (busiestRow?.total ? name(busiestRow.deviceId) : '–') : null}
            note={eventCountLabel(busiestRow?.total ?? 0)}
          />
          <KeyFigure
            label="Busiest hour"
            value={isReady ? (busiestHour ?? '–') : null}
            note={
              eventCounts.busiest
                ? `${name(eventCounts.busiest.deviceId)}, ${eventCountLabel(eventCounts.busiest.count)}`
                : 'No events'
            }
          />
        </dl>
      )}
      <Timeline onBack={onBack} />
      <div className={onBack ? 'contents' : compact ? 'tl-if-high' : 'tl-hours'}>
        <BusyHours busy={eventCounts} names={names} range={range} isReady={isReady} compact={compact} />
      </div>
    </>
  )
}

function KeyFigure({ label, value, note }: { label: string; value: string | null; note: string }) {
  return (
    <div className="min-w-0 px-4.5">
      <dt className="text-small text-ink-2 font-semibold">{label}</dt>
      <dd className="truncate text-[24px] leading-8 font-extrabold tracking-[-0.02em]">
        {value ?? <span className="skeleton inline-block h-6 w-16 align-middle" />}
      </dd>
      <dd className="text-micro text-ink-2 truncate font-semibold">{value === null ? '\u00a0' : note}</dd>
    </div>
  )
}
