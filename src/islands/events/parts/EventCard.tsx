import { useStore } from '@nanostores/react'
import Check from 'lucide-react/icons/check'
import Film from 'lucide-react/icons/film'
import { type MouseEvent, memo, useState } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import { getClip } from '../../../domain/events/event-recording.ts'
import { durationLabel, timeLabel } from '../../../domain/time/list-date-formats.ts'
import { eventName } from '../../../domain/copy/event-labels.ts'
import { formatClockSpan } from '../../../domain/time/clock-time.ts'
import { listShownTags, titleLabel } from '../../../domain/events/event-types.ts'
import { openEvent } from '../../../stores/events/event-url.ts'
import { markEvents } from '../../../stores/events/events.ts'
import { toggleEventSelection } from '../../../stores/events/event-selection.ts'
import type { EventCardProps } from './event-card-props.ts'
import { LazyHoverClip, LazyTagIcon } from './lazy-parts.tsx'
import { $isScrollingFast } from './scroll-velocity.ts'
import { QUICK_TAG_ICONS } from './quick-tag-icons.ts'

/** Delay before the clips of a visit are marked as seen, ms. Marking scans the list, so the first clip is painted first. */
const PAINT_DELAY_MS = 50

const listIds = ({ event, visit }: EventCardProps) => (visit?.clips ?? [event]).map(({ event_id }) => event_id)

/**
 * Card of an event or visit: a click opens the first clip; Shift+click selects the range from the row that was selected
 * or deselected last to this one.
 */
export const EventCard = memo(function EventCard(props: EventCardProps) {
  const { rowKey, event, visit, camera, href, isOpen, isTabStop, isSelected, unusual } = props
  const open = (click: MouseEvent) => {
    if (click.metaKey || click.ctrlKey) return
    click.preventDefault()
    if (click.shiftKey) return toggleEventSelection(listIds(props), true)
    openEvent({ eventId: event.event_id, deviceId: event.device_id })
    // Opening a clip marks its own event, here the first of the visit.
    if (visit) setTimeout(() => void markEvents(visit.clips.slice(1), true), PAINT_DELAY_MS)
  }
  return (
    <div className="group">
      <SelectionCheckbox {...props} />
      <a
        href={href}
        onClick={open}
        data-event={event.event_id}
        data-row={rowKey}
        tabIndex={isTabStop ? 0 : -1}
        aria-current={isOpen || undefined}
        className={`relative flex h-[88px] gap-3 rounded-[14px] p-2 outline-offset-[-3px]! ${isOpen || isSelected ? 'bg-primary-soft inset-ring-primary-line inset-ring-[1.5px]' : 'hover:bg-sunken'}`}
      >
        <span className="sr-only">
          {eventName(event, camera, visit)}
          {unusual && `. ${unusual}`}
        </span>
        <Thumbnail event={event} isStack={visit !== null} />
        <span aria-hidden className="flex min-w-0 flex-1 flex-col pt-0.5">
          <span className="flex items-center gap-2">
            <span className={`truncate leading-5 ${event.reviewed ? 'font-bold' : 'font-extrabold'}`}>
              {titleLabel(event)}
            </span>
            {!event.reviewed && <span className="dot text-primary" />}
          </span>
          <span className="text-small text-ink-2 truncate">
            {camera && <span>{camera} · </span>}
            {visit ? formatClockSpan(visit.begin, visit.end) : timeLabel(event.event_ts)}
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
function SelectionCheckbox(props: EventCardProps) {
  const { event, visit, camera, isTabStop, isSelected } = props
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isSelected}
      aria-label={`Select ${eventName(event, camera, visit)}`}
      title="Select (X)"
      tabIndex={isTabStop ? 0 : -1}
      className="select-box"
      onClick={({ shiftKey }) => toggleEventSelection(listIds(props), shiftKey)}
    >
      {isSelected === 'mixed' ? '–' : isSelected && <Check size={16} strokeWidth={3} aria-hidden />}
    </button>
  )
}

function Thumbnail({ event, isStack }: { event: Event; isStack: boolean }) {
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
      className={`bg-sunken text-ink-3 relative grid h-[72px] w-32 flex-none place-items-center overflow-hidden rounded-[10px] ${isStack ? 'stack' : ''}`}
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
            className="event-thumb size-full object-cover"
            onLoad={({ currentTarget }) => (currentTarget.dataset['shown'] = '')}
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
        const Icon = QUICK_TAG_ICONS[tag.icon]
        return (
          <span key={tag.id} className="text-micro text-ink-2 flex flex-none items-center gap-1 font-bold">
            {Icon ? (
              <Icon size={14} aria-hidden />
            ) : (
              <LazyTagIcon props={{ name: tag.icon }} fallback={<i className="w-3.5" />} />
            )}
            {tag.name}
          </span>
        )
      })}
    </span>
  )
}
