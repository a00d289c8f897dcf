import { useStore } from '@nanostores/react'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Play from 'lucide-react/icons/play'
import type { Event } from '../../../../contract/events/events.ts'
import { durationLabel } from '../../../domain/time/date-formats.ts'
import { eventCountLabel } from '../../../domain/copy/event-labels.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { $hasTodayFailed } from '../../../stores/live/today-events.ts'
import { formatEventHref } from '../parts/event-href.ts'
import { TodayLoadError } from '../parts/TodayColumn.tsx'
import { TODAY_ROWS_SKELETON } from '../parts/Skeletons.tsx'
import { Thumbnail } from '../parts/Thumbnail.tsx'
import { useClockTick } from '../parts/use-now.ts'
import { formatClock } from '../../../domain/time/clock-time.ts'
import { formatAge } from '../../../domain/time/relative-time.ts'

/** Today's events of this camera, newest first. `events` is null until they have loaded. */
export function TodayEvents({ camera, events }: { camera: Device; events: readonly Event[] | null }) {
  const { device_id, nickname } = camera
  const hasFailed = useStore($hasTodayFailed)
  const isLoading = events === null && !hasFailed
  const last = events?.[0]
  return (
    <aside className="one-events" aria-label={`Events from ${nickname}`} aria-busy={isLoading}>
      {isLoading && <i className="skeleton one-last-wait" aria-hidden="true" />}
      {last && <LastEvent event={last} />}
      <div className="one-events-head">
        <h2>Today</h2>
        <span>{nickname}</span>
        {events && <small>{eventCountLabel(events.length)}</small>}
      </div>
      {hasFailed && <TodayLoadError />}
      {events?.length === 0 && <p className="live-today-quiet">No events from this camera yet today.</p>}
      {isLoading ? (
        TODAY_ROWS_SKELETON
      ) : (
        <ol className="one-rows">
          {events?.map((event) => (
            <EventRow key={event.event_id} event={event} />
          ))}
        </ol>
      )}
      <a className="btn btn-dark one-all" href={`/events?cameras=${encodeURIComponent(device_id)}`}>
        All events from {nickname}
        <ChevronRight size={18} aria-hidden="true" />
      </a>
    </aside>
  )
}

function LastEvent({ event }: { event: Event }) {
  const now = useClockTick(30_000)
  return (
    <div className="one-last">
      <p>Last event{now && `, ${formatAge(now.getTime() - event.event_ts)}`}</p>
      <b>{event.title}</b>
      <a className="btn btn-white" href={formatEventHref(event)}>
        <Play size={16} fill="currentColor" aria-hidden="true" />
        Play clip
      </a>
    </div>
  )
}

function EventRow({ event }: { event: Event }) {
  const { event_id, event_ts, title, event_resources, reviewed } = event
  const length = Math.max(0, ...event_resources.map(({ begin_time, end_time }) => end_time - begin_time))
  return (
    <li>
      <a href={formatEventHref(event)}>
        <Thumbnail eventId={event_id} width={84} height={47} />
        <span>
          <b>
            <span>{title}</span>
            {!reviewed && <i className="one-new" role="img" aria-label="New" />}
          </b>
          <small>
            <time dateTime={new Date(event_ts).toISOString()}>{formatClock(event_ts)}</time>
            {` · ${length > 0 ? durationLabel(length) : 'No clip'}`}
          </small>
        </span>
      </a>
    </li>
  )
}
