import { useStore } from '@nanostores/react'
import Check from 'lucide-react/icons/check'
import Film from 'lucide-react/icons/film'
import { type MouseEvent, memo, useState } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import { getClip } from '../../../domain/events/event-recording.ts'
import { durationLabel, timeLabel } from '../../../domain/time/list-date-formats.ts'
import { eventName } from '../../../domain/copy/event-labels.ts'
import { listShownTags, titleLabel } from '../../../domain/events/event-types.ts'
import { openEvent } from '../../../stores/events/event-url.ts'
import { toggleEventSelection } from '../../../stores/events/event-selection.ts'
import { LazyHoverClip } from './lazy-parts.tsx'
import { $isScrollingFast } from './scroll-velocity.ts'
import { getTagIcon } from './tag-icons.ts'

export interface EventCardProps {
  readonly event: Event
  readonly camera: string
  readonly href: string
  readonly isOpen: boolean
  readonly isTabStop: boolean
  readonly isSelected: boolean
  /** Reason why the event is unusual, '' if it is not. */
  readonly unusual: string
}

/**
 * Event card: a click opens the clip; Shift+click selects the range from the last selected or deselected event to this
 * one.
 */
export const EventCard = memo(function EventCard(props: EventCardProps) {
  const { event, camera, href, isOpen, isTabStop, isSelected, unusual } = props
  const open = (click: MouseEvent) => {
    if (click.metaKey || click.ctrlKey) return
    click.preventDefault()
    if (click.shiftKey) toggleEventSelection(event.event_id, true)
    else openEvent({ eventId: event.event_id, deviceId: event.device_id })
  }
  return (
    <div className="group">
      <SelectionCheckbox {...props} />
      <a
        href={href}
        onClick={open}
        data-event={event.event_id}
        tabIndex={isTabStop ? 0 : -1}
        aria-current={isOpen || undefined}
        className={`relative flex h-[88px] gap-3 rounded-[14px] p-2 outline-offset-[-3px]! ${isOpen || isSelected ? 'bg-primary-soft inset-ring-primary-line inset-ring-[1.5px]' : 'hover:bg-sunken'}`}
      >
        <span className="sr-only">
          {eventName(event, camera)}
          {unusual && `. ${unusual}`}
        </span>
        <Thumbnail event={event} />
        <span aria-hidden className="flex min-w-0 flex-1 flex-col pt-0.5">
          <span className="flex items-center gap-2">
            <span className={`truncate leading-5 ${event.reviewed ? 'font-bold' : 'font-extrabold'}`}>
              {titleLabel(event)}
            </span>
            {!event.reviewed && <span className="dot text-primary" />}
          </span>
          <span className="text-small text-ink-2 truncate">
            {camera && `${camera} · `}
            {timeLabel(event.event_ts)}
          </span>
          <EventTags event={event} unusual={unusual} />
        </span>
      </a>
    </div>
  )
})

/**
 * Checkbox that selects an event. It is visible on the thumbnail on hover or focus, or during a selection (events.css).
 */
function SelectionCheckbox({ event, camera, isTabStop, isSelected }: EventCardProps) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isSelected}
      aria-label={`Select ${eventName(event, camera)}`}
      title="Select (X)"
      tabIndex={isTabStop ? 0 : -1}
      className="select-box"
      onClick={({ shiftKey }) => toggleEventSelection(event.event_id, shiftKey)}
    >
      {isSelected && <Check size={16} strokeWidth={3} aria-hidden />}
    </button>
  )
}

function Thumbnail({ event }: { event: Event }) {
  const [isMissing, setMissing] = useState(false)
  const [isHovered, setHovered] = useState(false)
  const isRushing = useStore($isScrollingFast)
  const [shouldLoadImage, setShouldLoadImage] = useState(!isRushing)
  if (!isRushing && !shouldLoadImage) setShouldLoadImage(true)
  const clip = getClip(event)
  return (
    <span
      aria-hidden
      onPointerEnter={({ pointerType }) => setHovered(pointerType === 'mouse')}
      onPointerLeave={() => setHovered(false)}
      className="bg-sunken text-ink-3 relative grid h-[72px] w-32 flex-none place-items-center overflow-hidden rounded-[10px]"
    >
      {isMissing ? (
        <Film size={20} aria-hidden />
      ) : (
        shouldLoadImage && (
          <img
            src={`/m/thumb/${event.event_id}`}
            alt=""
            width={128}
            height={72}
            loading="lazy"
            decoding="async"
            className="size-full object-cover"
            onError={() => setMissing(true)}
          />
        )
      )}
      {isHovered && clip && <LazyHoverClip props={{ eventId: event.event_id }} />}
      {clip && (
        <span className="absolute right-[5px] bottom-[5px] h-[18px] rounded-md bg-[rgb(12_8_18/.8)] px-1.5 text-[11px] leading-[18px] font-[750] text-white">
          {durationLabel(clip.length)}
        </span>
      )}
    </span>
  )
}

function EventTags({ event, unusual }: Pick<EventCardProps, 'event' | 'unusual'>) {
  return (
    <span
      className="event-tags mt-1.5 flex h-5 flex-wrap content-start items-center gap-x-2.5 gap-y-2 overflow-hidden"
      title={unusual || undefined}
    >
      {unusual && <span className="badge badge-primary text-micro h-5! flex-none px-2!">Unusual</span>}
      {listShownTags(event).map((tag) => {
        const Icon = getTagIcon(tag.icon)
        return (
          <span key={tag.id} className="text-micro text-ink-2 flex flex-none items-center gap-1 font-bold">
            <Icon size={14} aria-hidden />
            {tag.name}
          </span>
        )
      })}
    </span>
  )
}
