import { useStore } from '@nanostores/react'
import { useDeferredValue, useMemo } from 'react'
import { formatClipCount, formatNumber } from '../../../domain/copy/counts.ts'
import { eventCountLabel } from '../../../domain/copy/event-labels.ts'
import { countTodayEvents, findBusiestHour, type HourlyEventCounts } from '../../../domain/events/event-statistics.ts'
import { includesTime } from '../../../domain/events/event-url.ts'
import { findLongestVisit } from '../../../domain/events/longest-visit.ts'
import { groupVisits } from '../../../domain/events/visits.ts'
import { formatClockSpan } from '../../../domain/time/clock-time.ts'
import { durationLabel } from '../../../domain/time/list-date-formats.ts'
import { wholeHourLabel } from '../../../domain/time/hour-label.ts'
import { isSameDay } from '../../../domain/time/local-time.ts'
import { $eventFilter } from '../../../stores/events/event-url.ts'
import { $cameraNames } from '../../../stores/events/event-cameras.ts'
import { $events, $filteredEvents } from '../../../stores/events/events.ts'
import { useNow } from '../../../ui/use-now.ts'
import { hourAverageLabel } from './heat-map-rows.ts'
import { useZoneSuggestion, ZoneFact } from './ZoneSuggestion.tsx'

interface KeyFiguresProps {
  readonly counts: HourlyEventCounts
  readonly range: string
  readonly isReady: boolean
}

interface Figure {
  readonly label: string
  /** null while loading. */
  readonly value: string | null
  readonly note: string
}

/** Figures about the list: about several cameras, or about the visits to one. */
export function KeyFigures({ onlyCamera, ...props }: KeyFiguresProps & { readonly onlyCamera: string | null }) {
  return onlyCamera ? <CameraFigures {...props} /> : <HomeFigures {...props} />
}

/** Up to four figures. A suggestion of a motion zone takes the place of the fourth. */
function FigureList({ figures }: { figures: readonly Figure[] }) {
  const suggestion = useZoneSuggestion()
  return (
    <dl
      className={`panel divide-line grid flex-none auto-cols-fr grid-flow-col divide-x py-4 ${suggestion ? 'has-zone-fact' : ''}`}
    >
      {figures.slice(0, suggestion ? 3 : 4).map(({ label, value, note }) => (
        <div key={label} className="min-w-0 px-4.5">
          <dt className="text-small text-ink-2 font-semibold">{label}</dt>
          <dd className="truncate text-[24px] leading-8 font-extrabold tracking-[-0.02em]">
            {value ?? <span className="skeleton inline-block h-6 w-16 align-middle" />}
          </dd>
          <dd className="text-micro text-ink-2 truncate font-semibold">
            {value === null ? <span className="skeleton inline-block h-3 w-28 align-middle" /> : note}
          </dd>
        </div>
      ))}
      {suggestion && <ZoneFact suggestion={suggestion} />}
    </dl>
  )
}

function HomeFigures({ counts, range, isReady }: KeyFiguresProps) {
  const events = useStore($events)
  const visibleEvents = useDeferredValue(useStore($filteredEvents))
  const names = useStore($cameraNames)
  const filter = useDeferredValue(useStore($eventFilter))
  const now = useNow()
  const { today, todayUnseen } = useMemo(() => countTodayEvents(visibleEvents, now), [visibleEvents, now])
  const { busiest } = counts
  const busiestRow = counts.rows.toSorted((a, b) => b.total - a.total)[0]
  const name = (id: string) => names.get(id) || 'A camera'
  const todayFigure: Figure = {
    label: 'Events today',
    value: events.state === 'ready' ? formatNumber(today) : null,
    note: `${formatNumber(todayUnseen)} unseen`,
  }
  const figures: Figure[] = [
    ...(includesTime(filter, now, now) ? [todayFigure] : []),
    { label: 'In this range', value: isReady ? formatNumber(visibleEvents.length) : null, note: range },
    {
      label: 'Most active',
      value: isReady ? (busiestRow?.total ? name(busiestRow.id) : '–') : null,
      note: eventCountLabel(busiestRow?.total ?? 0),
    },
    {
      label: 'Busiest hour',
      value: isReady ? (busiest ? wholeHourLabel(busiest.hour) : '–') : null,
      note: busiest ? `${name(busiest.id)}, ${eventCountLabel(busiest.count)}` : 'No events',
    },
  ]
  return <FigureList figures={figures} />
}

/** Figures about the visits to one camera: of today, or of the whole range if today is not in the range. */
function CameraFigures({ counts, range, isReady }: KeyFiguresProps) {
  const visibleEvents = useDeferredValue(useStore($filteredEvents))
  const filter = useDeferredValue(useStore($eventFilter))
  const now = useNow()
  const hasToday = includesTime(filter, now, now)
  const { clipCount, visits } = useMemo(() => {
    const clips = hasToday ? visibleEvents.filter(({ event_ts }) => isSameDay(event_ts, now)) : visibleEvents
    return { clipCount: clips.length, visits: groupVisits(clips) }
  }, [visibleEvents, hasToday, now])
  const longest = findLongestVisit(visits)
  const busiestHour = findBusiestHour(counts)
  const figures: Figure[] = [
    {
      label: 'Visits',
      value: isReady ? formatNumber(visits.length) : null,
      note: `from ${formatClipCount(clipCount)}${hasToday ? ' today' : ''}`,
    },
    {
      label: 'Busiest hour',
      value: isReady ? (busiestHour ? wholeHourLabel(busiestHour.hour) : '–') : null,
      note: busiestHour ? hourAverageLabel(counts, busiestHour.average) : 'No events',
    },
    {
      label: 'Longest visit',
      value: isReady ? (longest ? durationLabel(longest.lengthMs) : '–') : null,
      note: longest ? formatClockSpan(longest.visit.begin, longest.visit.end) : 'No events',
    },
    { label: 'In this range', value: isReady ? formatNumber(visibleEvents.length) : null, note: range },
  ]
  return <FigureList figures={figures} />
}
