import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import { $homeTimeZone, loadHomeTimeZone } from '../../../stores/account/home-time-zone.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'
import { $hasTodayFailed, $todayEvents } from '../../../stores/live/today-events.ts'
import { watchTodayEvents, reloadTodayEvents } from '../../../stores/live/load-today-events.ts'
import { formatEventHref } from './event-href.ts'
import { formatClock } from '../../../domain/time/clock-time.ts'
import { ZoneNote } from '../../../ui/ZoneNote.tsx'
import { TODAY_ROWS_SKELETON } from './Skeletons.tsx'
import { Thumbnail } from './Thumbnail.tsx'

/** Maximum number of events, to avoid long scrolling. */
const MAX_EVENTS = 30

/** Right column: today's events, newest first. */
export function TodayColumn() {
  const today = useStore($todayEvents)
  const cameras = useStore($liveCameras)
  useEffect(watchTodayEvents, [])
  const hasFailed = useStore($hasTodayFailed)
  const cameraName = (id: string) => cameras.find(({ device_id }) => device_id === id)?.nickname ?? ''
  return (
    <>
      <div className="live-today-head">
        <h2>Today</h2>
        <a href="/events">All events</a>
      </div>
      <ZoneNote homeZone={useStore($homeTimeZone)} load={loadHomeTimeZone} className="live-today-quiet" />
      {today === null && !hasFailed && TODAY_ROWS_SKELETON}
      {hasFailed && <TodayLoadError />}
      {today?.length === 0 && <p className="live-today-quiet">No events yet today.</p>}
      {today && (
        <div className="live-today-rows">
          <ol className="live-today-list">
            {today.slice(0, MAX_EVENTS).map((event) => (
              <TodayItem key={event.event_id} event={event} camera={cameraName(event.device_id)} />
            ))}
          </ol>
        </div>
      )}
    </>
  )
}

/** Notice that today's events failed to load. Loads them again automatically when the connection returns. */
export function TodayLoadError() {
  useEffect(() => {
    addEventListener('online', reloadTodayEvents)
    return () => removeEventListener('online', reloadTodayEvents)
  }, [])
  return (
    <p role="alert" className="live-today-quiet">
      Couldn’t load today’s events.
      <button type="button" className="btn btn-dark btn-sm" onClick={reloadTodayEvents}>
        Try again
      </button>
    </p>
  )
}

function TodayItem({ event, camera }: { event: Event; camera: string }) {
  const { event_id, event_ts, title } = event
  return (
    <li>
      <a href={formatEventHref(event)}>
        <Thumbnail eventId={event_id} width={76} height={43} />
        <span>
          <b>{title}</b>
          <small>{camera}</small>
        </span>
        <time dateTime={new Date(event_ts).toISOString()}>{formatClock(event_ts)}</time>
      </a>
    </li>
  )
}
