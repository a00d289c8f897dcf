import { useStore } from '@nanostores/react'
import { EVENT_TAGS } from '../../../../contract/event-tags.ts'
import type { Event } from '../../../../contract/events.ts'
import { $cameras } from '../../../stores/live/live-page.ts'
import { $isTodayLost, $today } from '../../../stores/live/live-today.ts'
import { reloadToday } from '../../../stores/live/live-today-list.ts'
import { clock } from './words.ts'
import { useNow } from './use-now.ts'

type Kind = 'motion' | 'person' | 'sound'
const HOURS = [0, 3, 6, 9, 12, 15, 18, 21]
const MINUTE_MS = 60_000

/** Today's events of all cameras on one line, from midnight to midnight. */
export function DayStrip() {
  const today = useStore($today)
  const isLost = useStore($isTodayLost)
  const cameras = useStore($cameras)
  const now = useNow(MINUTE_MS)
  const { begin, length } = dayAround(now ?? new Date(0))
  const at = (time: number) => `${((time - begin) / length) * 100}%`
  const nameOf = (id: string) => cameras.find(({ device_id }) => device_id === id)?.nickname ?? ''
  const label = today ? `${today.length} events today on all cameras` : 'Events of today'
  return (
    <>
      <div className="live-strip-head">
        <h2>Today, all cameras</h2>
        <span data-kind="motion">Motion</span>
        <span data-kind="person">Person or face</span>
        <span data-kind="sound">Sound</span>
      </div>
      {isLost ? (
        <LostStrip />
      ) : (
        <div className="live-strip-line" role="img" aria-label={label}>
          {now &&
            today?.map((event) => (
              <i
                key={event.event_id}
                data-kind={kindOf(event)}
                style={{ left: at(event.event_ts) }}
                title={`${event.title}, ${nameOf(event.device_id)}, ${clock(event.event_ts)}`}
              />
            ))}
          {now && <i className="live-strip-now" style={{ left: at(now.getTime()) }} />}
        </div>
      )}
      <div className="live-strip-hours" aria-hidden="true">
        {HOURS.map((hour) => (
          <span key={hour}>{String(hour).padStart(2, '0')}:00</span>
        ))}
      </div>
    </>
  )
}

/** Where there is no right column it is the only one to say so. */
function LostStrip() {
  return (
    <p role="status" className="live-strip-line live-strip-lost">
      Today&rsquo;s events did not load.
      <button type="button" className="btn btn-dark btn-sm" onClick={reloadToday}>
        Try again
      </button>
    </p>
  )
}

/** Midnight before, ms UTC, and the length of that day, which is not always 24 hours. */
function dayAround(now: Date): { begin: number; length: number } {
  const begin = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const end = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime()
  return { begin, length: end - begin }
}

function kindOf({ tags }: Event): Kind {
  const known = EVENT_TAGS.filter(({ id }) => tags.includes(id))
  if (known.some(({ kind, name }) => kind === 'face' || name === 'Person')) return 'person'
  return known.some(({ kind }) => kind === 'sound') ? 'sound' : 'motion'
}
