import { useStore } from '@nanostores/react'
import ChartNoAxesGantt from 'lucide-react/icons/chart-no-axes-gantt'
import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import { formatClipCount } from '../../../domain/copy/counts.ts'
import { formatList } from '../../../domain/copy/lists.ts'
import { distanceLabel, emptyTimeText, emptyTimeTitle, otherCamerasTitle } from '../../../domain/copy/empty-time.ts'
import { createTicks } from '../../../domain/events/timeline-ticks.ts'
import { cropSegments } from '../../../domain/events/timeline-viewport.ts'
import { DEFAULT_FILTER, formatEventsQuery } from '../../../domain/events/event-url.ts'
import { type EmptyTime, toTimelineRange } from '../../../domain/search/empty-time.ts'
import { removePhrase } from '../../../domain/search/remove-phrase.ts'
import { nearDayLabel } from '../../../domain/time/date-formats.ts'
import type { Span } from '../../../domain/time/date-range.ts'
import { briefClockLabel, briefClockSpan } from '../../../domain/time/brief-clock.ts'
import { $cameraNames } from '../../../stores/events/event-cameras.ts'
import { isEventListPage, navigateToEventUrl } from '../../../stores/events/event-url.ts'
import { loadTimeSurroundings, type TimeSurroundings } from '../../../stores/search/empty-time.ts'
import type { FoundSearch } from '../../../stores/search/search.ts'
import { submitQuery } from '../../../stores/search/search-url.ts'
import { useNow } from '../../../ui/use-now.ts'
import { Axis } from '../../../ui/Axis.tsx'
import { StripCanvas } from '../../../ui/StripCanvas.tsx'
import { useWidth } from '../../../ui/use-width.ts'
import { focusMain } from './focus-main.ts'
import { Lamp } from './Lamp.tsx'
import { NearMissCard } from './ResultCard.tsx'

interface NoClipsAtTimeProps {
  readonly search: FoundSearch
  readonly empty: EmptyTime
  readonly scroller: RefObject<HTMLElement | null>
}

const MAX_OTHER_CLIPS = 2
/** Enough for a label at each hour of the view around a named time, and for no shorter steps. */
const MAX_HOUR_LABELS = 5

/**
 * Shown if a search for a camera and a time finds no clip: what the camera did at that time, its nearest clips, and the
 * clips of other cameras.
 */
export function NoClipsAtTime({ search, empty, scroller }: NoClipsAtTimeProps) {
  const names = useStore($cameraNames)
  const now = useNow()
  const surroundings = useTimeSurroundings(empty)
  const camera = formatList(
    empty.deviceIds.map((id) => names.get(id) ?? 'this camera'),
    'disjunction',
  )
  const title = search.time ? emptyTimeTitle(camera, search.time, empty.span, now) : ''
  const [firstId = ''] = empty.deviceIds
  const firstCamera = names.get(firstId) ?? 'This camera'
  const text = surroundings?.runs ? emptyTimeText(firstCamera, surroundings.runs, empty.span, now) : ''
  return (
    <div className="no-clips-at-time">
      <div className="no-clips-head">
        <Lamp size={48} />
        <div role="status">
          <h2>{title}</h2>
          <p>{text || '\u00a0'}</p>
        </div>
      </div>
      <TimeStrip camera={firstCamera} empty={empty} surroundings={surroundings} now={now} />
      {surroundings && (
        <SurroundingClips empty={empty} surroundings={surroundings} camera={camera} scroller={scroller} />
      )}
      <EmptyTimeActions search={search} empty={empty} otherCount={surroundings?.others.length ?? 0} />
    </div>
  )
}

/** Loads what the cameras did around the searched time; null while loading. */
function useTimeSurroundings(empty: EmptyTime): TimeSurroundings | null {
  const [surroundings, setSurroundings] = useState<TimeSurroundings | null>(null)
  const key = JSON.stringify(empty)
  useEffect(() => {
    let isCurrent = true
    void loadTimeSurroundings(empty).then((loaded) => isCurrent && setSurroundings(loaded))
    return () => {
      isCurrent = false
    }
    // `key` identifies `empty`.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key])
  return surroundings
}

interface TimeStripProps {
  readonly camera: string
  readonly empty: EmptyTime
  readonly surroundings: TimeSurroundings | null
  readonly now: number
}

/** Strip of the camera around the searched time, with a link to the timeline. */
function TimeStrip({ camera, empty: { view, span, anchor }, surroundings, now }: TimeStripProps) {
  const cell = useRef<HTMLDivElement>(null)
  const width = useWidth(cell)
  const visible = cropSegments(surroundings?.runs ?? [], view).map((run) => ({ run, state: run[2] }))
  const ticks = createTicks(surroundings?.events ?? [], view, width)
  const position = (time: number) => `${((time - view.begin) / (view.end - view.begin)) * 100}%`
  const instant = anchor.begin === anchor.end ? anchor.begin : null
  return (
    <section className="panel time-strip" aria-label={`Timeline for ${camera}`}>
      <header>
        <h3>
          {camera}{' '}
          <span>
            {nearDayLabel(view.begin, now)}, {briefClockSpan(view.begin, view.end)}
          </span>
        </h3>
        <TimelineLink view={view} label={instant === null ? 'Show on the timeline' : timelineLabel(instant)} />
      </header>
      <div ref={cell} className="time-strip-cell" aria-hidden>
        <span className="time-strip-span" style={{ left: position(span.begin), right: getRight(view, span.end) }} />
        {surroundings?.runs ? (
          <StripCanvas lane={{ visible, view, ticks }} selectedTick={null} />
        ) : (
          <span className="tl-strip skeleton" />
        )}
        {instant !== null && <span className="time-strip-line" style={{ left: position(instant) }} />}
      </div>
      <Axis view={view} width={width} boldAt={instant} maxLabels={MAX_HOUR_LABELS} />
    </section>
  )
}

const timelineLabel = (instant: number) => `Show ${briefClockLabel(instant)} on the timeline`
const getRight = (view: Span, end: number) => `${((view.end - end) / (view.end - view.begin)) * 100}%`

function TimelineLink({ view, label }: { view: Span; label: string }) {
  const target = { filter: { ...DEFAULT_FILTER, range: toTimelineRange(view) }, open: null }
  const open = (click: MouseEvent) => {
    if (!isEventListPage() || click.metaKey || click.ctrlKey || click.shiftKey) return
    click.preventDefault()
    navigateToEventUrl(target, true)
  }
  return (
    <a className="btn btn-sm btn-soft" href={`/events${formatEventsQuery(target)}`} onClick={open}>
      <ChartNoAxesGantt size={18} aria-hidden />
      {label}
    </a>
  )
}

interface SurroundingClipsProps {
  readonly empty: EmptyTime
  readonly surroundings: TimeSurroundings
  readonly camera: string
  readonly scroller: RefObject<HTMLElement | null>
}

function SurroundingClips({ empty, surroundings, camera, scroller }: SurroundingClipsProps) {
  const { before, after, others } = surroundings
  const nearest = [before, after].filter((event) => event !== null)
  return (
    <div className="surrounding-clips">
      {nearest.length > 0 && (
        <section aria-labelledby="nearest-clips">
          <h2 id="nearest-clips" className="search-subtitle">
            {nearest.length === 1 ? 'Nearest clip' : 'Nearest clips'} from {camera}
          </h2>
          <ClipCards
            events={nearest}
            scroller={scroller}
            isCameraHidden={empty.deviceIds.length === 1}
            formatBadge={(event) => distanceLabel(event.event_ts, empty.anchor)}
          />
        </section>
      )}
      {others.length > 0 && (
        <section aria-labelledby="other-clips">
          <h2 id="other-clips" className="search-subtitle">
            {otherCamerasTitle(empty.span)} <span>{formatClipCount(others.length)}</span>
          </h2>
          <ClipCards events={others.slice(0, MAX_OTHER_CLIPS)} scroller={scroller} />
        </section>
      )}
    </div>
  )
}

interface ClipCardsProps {
  readonly events: readonly Event[]
  readonly scroller: RefObject<HTMLElement | null>
  readonly isCameraHidden?: boolean
  readonly formatBadge?: (event: Event) => string
}

function ClipCards({ events, scroller, isCameraHidden, formatBadge }: ClipCardsProps) {
  const now = useNow()
  return (
    <ul className="surrounding-cards">
      {events.map((event) => (
        <li key={event.event_id}>
          <NearMissCard
            match={{ event, strength: 'weak', at_s: 0, why: [] }}
            badge={formatBadge?.(event)}
            isCameraHidden={isCameraHidden}
            now={now}
            scroller={scroller}
          />
        </li>
      ))}
    </ul>
  )
}

interface EmptyTimeActionsProps {
  readonly search: FoundSearch
  readonly empty: EmptyTime
  readonly otherCount: number
}

function EmptyTimeActions({ search: { query, time }, empty, otherCount }: EmptyTimeActionsProps) {
  const submit = (press: MouseEvent<HTMLElement>, next: string) => {
    focusMain(press.currentTarget)
    submitQuery(next)
  }
  const timeOnly = empty.said.reduce(removePhrase, query)
  return (
    <div className="search-actions">
      {time && time.rest !== '' && (
        <button type="button" className="btn btn-primary" onClick={(press) => submit(press, time.rest)}>
          Search all dates
        </button>
      )}
      {otherCount > 0 && timeOnly !== '' && timeOnly !== query && (
        <button type="button" className="btn btn-outline" onClick={(press) => submit(press, timeOnly)}>
          {otherCount === 1 ? 'Show the clip from another camera' : `Show ${otherCount} clips from other cameras`}
        </button>
      )}
    </div>
  )
}
