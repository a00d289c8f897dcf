import { useStore } from '@nanostores/react'
import Sun from 'lucide-react/icons/sun'
import { weekdayWords } from '../../../domain/time/date-formats.ts'
import { clockOffset, type WallPageTurn, type WallPage } from '../../../domain/live/wall-pages.ts'
import { $liveCameras, $liveCount } from '../../../stores/live/live-page.ts'
import { $today } from '../../../stores/live/today-events.ts'
import { clock } from '../../../domain/time/clock-time.ts'
import { ago } from '../../../domain/time/relative-time.ts'

interface Props {
  now: number
  pages: readonly WallPage[]
  turn: WallPageTurn
  isPaused: boolean
  isScreenKept: boolean
}

/** Footer of the wall: time, last event, and the next page. */
export function WallFoot({ now, pages, turn, isPaused, isScreenKept }: Props) {
  const total = useStore($liveCameras).length
  const live = useStore($liveCount)
  const { x, y } = clockOffset(now)
  return (
    <footer className="wall-foot">
      <time className="wall-clock" style={{ translate: `${x}px ${y}px` }}>
        {clock(now)}
      </time>
      <p className="wall-day">
        <b>{weekdayWords(now)}</b>
        <small>
          {live} of {total} live
        </small>
      </p>
      <LastEvent now={now} />
      {pages.length > 1 && <Pages now={now} pages={pages} turn={turn} isPaused={isPaused} />}
      {isScreenKept && (
        <p className="wall-kept">
          <Sun size={18} aria-hidden="true" />
          Screen stays on
        </p>
      )}
    </footer>
  )
}

function LastEvent({ now }: { now: number }) {
  const [last, before] = useStore($today) ?? []
  const cameras = useStore($liveCameras)
  if (!last) return null
  const camera = cameras.find(({ device_id }) => device_id === last.device_id)?.nickname
  return (
    <div className="wall-last">
      <img key={last.event_id} src={`/m/thumb/${last.event_id}`} width="80" height="45" alt="" decoding="async" />
      <p>
        <b>
          {last.title}
          {camera && ` · ${camera}`}
        </b>
        <small>
          {ago(now - last.event_ts)}
          {before && ` · before that: ${before.title}, ${clock(before.event_ts)}`}
        </small>
      </p>
    </div>
  )
}

function Pages({ now, pages, turn, isPaused }: Omit<Props, 'isScreenKept'>) {
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
