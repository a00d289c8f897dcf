import { useStore } from '@nanostores/react'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { formatInstant } from '../../../domain/events/timeline-viewport.ts'
import { $timelineCursor, type TimelineCursor } from '../../../stores/events/timeline-cursor.ts'
import { useIsPhone } from '../../../ui/use-media.ts'
import { hoverLabel, tickLabel } from './cursor-labels.ts'
import type { CameraStrip } from './camera-strips.ts'

interface CursorProps {
  /** Element that contains the strips and has the same width. */
  readonly track: RefObject<HTMLElement | null>
  readonly lanes: readonly CameraStrip[]
  readonly now: number
}

/** Dashed line over all rows at the pointer, with the thumbnail of that time. */
export function Cursor({ track, lanes, now }: CursorProps) {
  const cursor = useStore($timelineCursor)
  const lane = lanes.find(({ camera }) => camera.device_id === cursor?.deviceId)
  if (!cursor || !lane) return null
  return (
    <>
      <div aria-hidden data-cursor className="tl-line" style={{ left: cursor.x }} />
      <PictureCard {...{ track, cursor, lane, now }} />
    </>
  )
}

/** Gap between the card and the strip or the line, CSS pixels. */
const SPACE = 8
/** Length of the seconds in a time, such as `:07`. The card on phones omits them. */
const SECONDS = 3

interface CardProps extends Pick<CursorProps, 'track' | 'now'> {
  readonly cursor: TimelineCursor
  readonly lane: CameraStrip
}

/** Thumbnail with its time and label: above the row, or beside the line if there is no room above. */
function PictureCard({ track, cursor, lane, now }: CardProps) {
  const isPhone = useIsPhone()
  const card = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<{ left: number; top: number } | null>(null)
  const { x, event, tick, deviceId } = cursor
  useLayoutEffect(() => {
    if (track.current && card.current) setPlace(cardPosition(track.current, card.current, deviceId, x))
  }, [track, deviceId, x, event])
  const state = tick ? null : hoverLabel(lane, cursor.at)
  return (
    <div
      ref={card}
      aria-hidden
      className="tl-card"
      data-placed={place !== null || undefined}
      style={place ?? undefined}
    >
      {event && <Picture key={event.event_id} eventId={event.event_id} />}
      {event && (
        <p>
          <b>{isPhone ? formatInstant(event.event_ts, now).slice(0, -SECONDS) : formatInstant(event.event_ts, now)}</b>
          <span>{tickLabel(cursor)}</span>
        </p>
      )}
      {state && (
        <p className="tl-card-state">
          {state.title}
          {state.reason && <small>{state.reason}</small>}
        </p>
      )}
    </div>
  )
}

function Picture({ eventId }: { eventId: string }) {
  const [isMissing, setMissing] = useState(false)
  if (isMissing) return <div className="tl-card-picture" />
  return (
    <img
      src={`/m/thumb/${eventId}`}
      alt=""
      width={220}
      height={124}
      className="tl-card-picture"
      onError={() => setMissing(true)}
    />
  )
}

/** Returns the card's position, CSS pixels from the corner of the track; stays within the scroller and the window. */
function cardPosition(
  track: HTMLElement,
  card: HTMLElement,
  deviceId: string,
  x: number,
): { left: number; top: number } {
  const [outer, row] = [track.getBoundingClientRect(), getStrip(track, deviceId).getBoundingClientRect()]
  const edge = (track.closest('[data-column], dialog')?.getBoundingClientRect() ?? { top: 64 }).top
  const { offsetWidth: width, offsetHeight: height } = card
  const room = document.documentElement.clientWidth
  const within = (left: number) => Math.max(SPACE - outer.left, Math.min(left, room - SPACE - width - outer.left))
  if (row.top - height - SPACE >= edge)
    return { left: within(x - width / 2), top: row.top - outer.top - height - SPACE }
  const isRight = outer.left + x + SPACE + width <= room - SPACE
  const top = Math.max(edge, row.top + row.height / 2 - height / 2) - outer.top
  return { left: isRight ? x + SPACE : within(x - SPACE - width), top }
}

const getStrip = (track: HTMLElement, deviceId: string): Element =>
  track.parentElement?.querySelector(`[data-strip="${CSS.escape(deviceId)}"]`) ?? track
