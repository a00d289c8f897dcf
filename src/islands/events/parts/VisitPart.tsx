import { useStore } from '@nanostores/react'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { flushSync } from 'react-dom'
import type { MouseEvent } from 'react'
import { formatClipCount, formatCount } from '../../../domain/copy/counts.ts'
import { eventName } from '../../../domain/copy/event-labels.ts'
import { getClip } from '../../../domain/events/event-recording.ts'
import { titleLabel } from '../../../domain/events/event-types.ts'
import type { Visit } from '../../../domain/events/visits.ts'
import { durationLabel, timeLabel } from '../../../domain/time/list-date-formats.ts'
import { toggleEventSelection } from '../../../stores/events/event-selection.ts'
import { $openEventId, openEvent } from '../../../stores/events/event-url.ts'
import { closeVisit } from '../../../stores/events/visit-actions.ts'
import { openVisit } from '../../../stores/events/visits.ts'
import type { EventCardProps } from './event-card-props.ts'
import type { EventRow } from './list-layout.ts'

interface VisitPartProps extends EventCardProps {
  readonly part: EventRow['part']
  readonly visit: Visit
  readonly isExpanded: boolean
}

/** The parts of a visit that load late: the button on its card, and the rows below the card of an open visit. */
export function VisitPart(props: VisitPartProps) {
  if (props.part === 'card') return <ClipsToggle {...props} />
  return props.part === 'clip' ? <ClipRow {...props} /> : <MoreClipsButton {...props} />
}

function ClipsToggle({ visit, isExpanded, isTabStop }: VisitPartProps) {
  const openId = useStore($openEventId)
  // Closing the visit would hide the playing clip. The card stands for the first clip.
  const mustStayOpen = isExpanded && visit.clips.slice(1).some(({ event_id }) => event_id === openId)
  return (
    <button
      type="button"
      aria-expanded={isExpanded}
      disabled={mustStayOpen}
      tabIndex={isTabStop ? 0 : -1}
      className="fold-button visit-button"
      onClick={() => (isExpanded ? closeVisit(visit) : openVisit(visit, false))}
    >
      {formatClipCount(visit.clips.length)}
      <ChevronDown size={14} aria-hidden />
    </button>
  )
}

function ClipRow({ rowKey, event, camera, href, isOpen, isTabStop, isSelected, unusual }: VisitPartProps) {
  const clip = getClip(event)
  const open = (click: MouseEvent) => {
    if (click.metaKey || click.ctrlKey) return
    click.preventDefault()
    if (click.shiftKey) toggleEventSelection([event.event_id], true)
    else openEvent({ eventId: event.event_id, deviceId: event.device_id })
  }
  return (
    <a
      href={href}
      onClick={open}
      data-event={event.event_id}
      data-row={rowKey}
      tabIndex={isTabStop ? 0 : -1}
      aria-current={isOpen || undefined}
      data-selected={isSelected || undefined}
      className="visit-clip"
    >
      <span className="sr-only">
        {eventName(event, camera)}
        {isSelected && '. Selected'}
        {unusual && `. ${unusual}`}
      </span>
      <img
        src={`/m/thumb/${event.event_id}`}
        alt=""
        width={68}
        height={38}
        loading="lazy"
        decoding="async"
        // A missing picture stays an empty frame.
        onError={({ currentTarget }) => currentTarget.removeAttribute('src')}
      />
      <span aria-hidden>
        <b>{titleLabel(event)}</b>
        {timeLabel(event.event_ts)}
      </span>
      {!event.reviewed && <span className="dot text-primary" />}
      <span aria-hidden>{clip && durationLabel(clip.length)}</span>
    </a>
  )
}

function MoreClipsButton({ rowKey, event, visit, isTabStop }: VisitPartProps) {
  const count = visit.clips.length - visit.clips.indexOf(event)
  const showClips = () => {
    flushSync(() => openVisit(visit, true))
    // The button is gone, so the focus moves to the first clip that took its place.
    document.querySelector<HTMLElement>(`[data-row="clip${event.event_id}"]`)?.focus({ preventScroll: true })
  }
  return (
    <button type="button" data-row={rowKey} tabIndex={isTabStop ? 0 : -1} className="visit-more" onClick={showClips}>
      {formatCount(count, 'more clip')}
      <ChevronDown size={14} aria-hidden />
    </button>
  )
}
