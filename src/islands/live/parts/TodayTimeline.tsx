import { useStore } from '@nanostores/react'
import { type KeyboardEvent, useEffect } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import { DEFAULT_FILTER, formatEventsQuery } from '../../../domain/events/event-url.ts'
import { getTickKind } from '../../../domain/events/timeline-ticks.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'
import { $hasTodayFailed, $todayEvents } from '../../../stores/live/today-events.ts'
import { $todayOfflineSpans, watchTodayOffline } from '../../../stores/live/today-offline.ts'
import { reloadTodayEvents } from '../../../stores/live/load-today-events.ts'
import { formatClock } from '../../../domain/time/clock-time.ts'
import { wholeHourLabel } from '../../../domain/time/hour-label.ts'
import { useClockTick } from './use-now.ts'
import { MINUTE_MS } from '../../../../contract/time-units.ts'

const LABELED_HOURS = [0, 3, 6, 9, 12, 15, 18, 21]

/** Today's events of all cameras on one line, midnight to midnight; each mark links to its event. */
export function TodayTimeline() {
  const today = useStore($todayEvents)
  const hasFailed = useStore($hasTodayFailed)
  const cameras = useStore($liveCameras)
  const now = useClockTick(MINUTE_MS)
  const { begin, length } = getDaySpan(now ?? new Date(0))
  const toPercent = (time: number) => `${((time - begin) / length) * 100}%`
  const cameraName = (id: string) => cameras.find(({ device_id }) => device_id === id)?.nickname ?? ''
  const offlineSpans = useOfflineSpans(
    today !== null,
    cameras.map(({ device_id }) => device_id),
  ).filter(({ end }) => end > begin)
  const label = today ? `Today’s events from all cameras: ${today.length}` : 'Today’s events'
  return (
    <>
      <div className="live-strip-head">
        <h2>Today, all cameras</h2>
        <span data-kind="motion">Motion</span>
        <span data-kind="person">Person or face</span>
        <span data-kind="sound">Sound</span>
        {offlineSpans.length > 0 && <span data-kind="offline">A camera was offline</span>}
      </div>
      {hasFailed ? (
        <TodayTimelineError />
      ) : (
        <div
          className={today ? 'live-strip-line' : 'live-strip-line skeleton'}
          role="group"
          aria-busy={!today}
          aria-label={label}
          onKeyDown={moveFocus}
        >
          {now &&
            offlineSpans.map((span) => (
              <i
                key={span.begin}
                className="live-strip-offline"
                style={{
                  left: toPercent(Math.max(begin, span.begin)),
                  width: toPercent(begin + span.end - Math.max(begin, span.begin)),
                }}
              />
            ))}
          {now &&
            today?.map((event, i) => {
              const markLabel = `${event.title}, ${cameraName(event.device_id)}, ${formatClock(event.event_ts)}`
              return (
                <a
                  key={event.event_id}
                  href={eventHref(event)}
                  // Only the newest mark is in the tab order. The arrow keys reach the others.
                  tabIndex={i === 0 ? 0 : -1}
                  data-kind={getTickKind(event)}
                  style={{ left: toPercent(event.event_ts) }}
                  title={markLabel}
                  aria-label={markLabel}
                />
              )
            })}
          {now && <i className="live-strip-now" style={{ left: toPercent(now.getTime()) }} />}
        </div>
      )}
      <div className="live-strip-hours" aria-hidden="true">
        {LABELED_HOURS.map((hour) => (
          <span key={hour}>{wholeHourLabel(hour)}</span>
        ))}
      </div>
    </>
  )
}

/** Returns today's offline spans. Loads them once today's events have loaded, so that video and events come first. */
function useOfflineSpans(canLoad: boolean, deviceIds: readonly string[]) {
  const ids = deviceIds.join(' ')
  useEffect(() => (canLoad && ids !== '' ? watchTodayOffline(ids.split(' ')) : undefined), [canLoad, ids])
  return useStore($todayOfflineSpans)
}

function TodayTimelineError() {
  return (
    <p role="status" className="live-strip-line live-strip-lost">
      Couldn’t load today’s events.
      <button type="button" className="btn btn-dark btn-sm" onClick={reloadTodayEvents}>
        Try again
      </button>
    </p>
  )
}

/**
 * Returns the start of the local day that contains `now`, ms UTC, and the length of that day, ms. The length is not 24
 * hours if the clocks change on that day.
 */
function getDaySpan(now: Date): { begin: number; length: number } {
  const begin = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const end = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime()
  return { begin, length: end - begin }
}

const eventHref = ({ event_id, device_id }: Event) =>
  `/events${formatEventsQuery({ filter: DEFAULT_FILTER, open: { eventId: event_id, deviceId: device_id } })}`

/** Moves the focus to the neighboring mark with Left or Right. The document lists the newest mark first. */
function moveFocus(key: KeyboardEvent<HTMLElement>): void {
  const marks = [...key.currentTarget.querySelectorAll('a')]
  const step = { ArrowLeft: 1, ArrowRight: -1 }[key.key]
  if (step === undefined) return
  key.preventDefault()
  key.stopPropagation()
  marks[marks.findIndex((mark) => mark === key.target) + step]?.focus()
}
