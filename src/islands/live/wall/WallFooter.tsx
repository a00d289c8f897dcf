import { useStore } from '@nanostores/react'
import Sun from 'lucide-react/icons/sun'
import { weekdayWords } from '../../../domain/time/date-formats.ts'
import { getClockOffset, type WallPageTurn, type WallPage } from '../../../domain/live/wall-pages.ts'
import { $liveCameras, $liveCount } from '../../../stores/live/live-page.ts'
import { $todayEvents } from '../../../stores/live/today-events.ts'
import { formatClock } from '../../../domain/time/clock-time.ts'
import { formatAge } from '../../../domain/time/relative-time.ts'

interface WallFooterProps {
  now: number
  pages: readonly WallPage[]
  turn: WallPageTurn
  isPaused: boolean
  isScreenKept: boolean
}

/** Footer of the wall: time, last event, and the next page. */
export function WallFooter({ now, pages, turn, isPaused, isScreenKept: isScreenKeptOn }: WallFooterProps) {
  const total = useStore($liveCameras).length
  const live = useStore($liveCount)
  const { x, y } = getClockOffset(now)
  return (
    <footer className="wall-foot">
      <time className="wall-clock" style={{ translate: `${x}px ${y}px` }}>
        {formatClock(now)}
      </time>
      <p className="wall-day">
        <b>{weekdayWords(now)}</b>
        <small>
          {live} of {total} live
        </small>
      </p>
      <LastEvent now={now} />
      {pages.length > 1 && <PageIndicator now={now} pages={pages} turn={turn} isPaused={isPaused} />}
      {isScreenKeptOn && (
        <p className="wall-kept">
          <Sun size={18} aria-hidden="true" />
          Screen stays on
        </p>
      )}
    </footer>
  )
}

function LastEvent({ now }: { now: number }) {
  const [lastEvent, previousEvent] = useStore($todayEvents) ?? []
  const cameras = useStore($liveCameras)
  if (!lastEvent) return null
  const camera = cameras.find(({ device_id }) => device_id === lastEvent.device_id)?.nickname
  return (
    <div className="wall-last">
      <img
        key={lastEvent.event_id}
        src={`/m/thumb/${lastEvent.event_id}`}
        width="80"
        height="45"
        alt=""
        decoding="async"
      />
      <p>
        <b>
          {lastEvent.title}
          {camera && ` · ${camera}`}
        </b>
        <small>
          {formatAge(now - lastEvent.event_ts)}
          {previousEvent && ` · earlier: ${previousEvent.title}, ${formatClock(previousEvent.event_ts)}`}
        </small>
      </p>
    </div>
  )
}

function PageIndicator({ now, pages, turn, isPaused }: Omit<WallFooterProps, 'isScreenKept'>) {
  const next = pages[(turn.page + 1) % pages.length]!
  const seconds = Math.max(0, Math.ceil((turn.dueAt - now) / 1000))
  return (
    <div className="wall-pages">
      <div aria-hidden="true">
        {pages.map(({ name }, index) => (
          <i key={name} data-on={index === turn.page} />
        ))}
      </div>
      <small>
        {pages[turn.page]!.name} · {isPaused ? 'paused' : `next: ${next.name} in ${seconds} s`}
      </small>
    </div>
  )
}
