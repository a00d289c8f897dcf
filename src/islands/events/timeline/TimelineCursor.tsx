import { useStore } from '@nanostores/react'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { formatInstant, formatInstantBriefly } from '../../../domain/events/timeline-viewport.ts'
import { $timelineCursor, type TimelineCursor } from '../../../stores/events/timeline-cursor.ts'
import { useIsPhone } from '../../../ui/use-media.ts'
import { hoverLabel, tickLabel } from './cursor-labels.ts'
import type { CameraStrip } from './camera-strips.ts'

interface TimelineCursorOverlayProps {
  /** Overlay on the strips, with the same left edge and width as the strips. */
  readonly track: RefObject<HTMLElement | null>
  readonly lanes: readonly CameraStrip[]
  readonly now: number
}

/**
 * Dashed line across all rows at the cursor, with the thumbnail of the event at the tick or, without a tick, of the
 * nearest event.
 */
export function TimelineCursorOverlay({ track, lanes, now }: TimelineCursorOverlayProps) {
  const cursor = useStore($timelineCursor)
  const strip = lanes.find(({ camera }) => camera.device_id === cursor?.deviceId)
  if (!cursor || !strip) return null
  return (
    <>
      <div aria-hidden data-cursor className="tl-line" style={{ left: cursor.x }} />
      <ThumbnailCard track={track} cursor={cursor} lane={strip} now={now} />
    </>
  )
}

/** Gap between the thumbnail card and the camera strip below it, or the cursor line beside it, CSS pixels. */
const CARD_GAP_PX = 8

interface ThumbnailCardProps extends Pick<TimelineCursorOverlayProps, 'track' | 'now'> {
  readonly cursor: TimelineCursor
  readonly lane: CameraStrip
}

/** Thumbnail with its time and label. Appears above the row, or beside the cursor line if there is no room above. */
function ThumbnailCard({ track, cursor, lane, now }: ThumbnailCardProps) {
  const isPhone = useIsPhone()
  const card = useRef<HTMLDivElement>(null)
  const [position, setPosition] = useState<{ left: number; top: number } | null>(null)
  const { x, event, tick, deviceId } = cursor
  useLayoutEffect(() => {
    if (track.current && card.current) setPosition(getCardPosition(track.current, card.current, deviceId, x))
  }, [track, deviceId, x, event])
  const state = tick ? null : hoverLabel(lane, cursor.at, now)
  return (
    <div
      ref={card}
      aria-hidden
      className="tl-card"
      data-placed={position !== null || undefined}
      style={position ?? undefined}
    >
      {event && <Thumbnail key={event.event_id} eventId={event.event_id} />}
      {event && (
        <p>
          <b>{isPhone ? formatInstantBriefly(event.event_ts, now) : formatInstant(event.event_ts, now)}</b>
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

function Thumbnail({ eventId }: { eventId: string }) {
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

/**
 * Returns the card's position in CSS pixels, relative to the track. The card stays within the scroller and the window.
 */
function getCardPosition(
  track: HTMLElement,
  card: HTMLElement,
  deviceId: string,
  x: number,
): { left: number; top: number } {
  const [outer, row] = [track.getBoundingClientRect(), getStripElement(track, deviceId).getBoundingClientRect()]
  const topLimit = (track.closest('[data-column], dialog')?.getBoundingClientRect() ?? { top: 64 }).top
  const { offsetWidth: width, offsetHeight: height } = card
  const windowWidth = document.documentElement.clientWidth
  const within = (left: number) =>
    Math.max(CARD_GAP_PX - outer.left, Math.min(left, windowWidth - CARD_GAP_PX - width - outer.left))
  // With little room, the card stands directly on the row.
  if (row.top - height >= topLimit)
    return { left: within(x - width / 2), top: Math.max(topLimit, row.top - height - CARD_GAP_PX) - outer.top }
  const isRight = outer.left + x + CARD_GAP_PX + width <= windowWidth - CARD_GAP_PX
  const top = Math.max(topLimit, row.top + row.height / 2 - height / 2) - outer.top
  return { left: isRight ? x + CARD_GAP_PX : within(x - CARD_GAP_PX - width), top }
}

const getStripElement = (track: HTMLElement, deviceId: string): Element =>
  track.parentElement?.querySelector(`[data-strip="${CSS.escape(deviceId)}"]`) ?? track
