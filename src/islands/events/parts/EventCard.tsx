import { useStore } from '@nanostores/react'
import Check from 'lucide-react/icons/check'
import Film from 'lucide-react/icons/film'
import { createElement, type MouseEvent, memo, type PointerEvent, type ReactElement, useState } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import { getClip } from '../../../domain/events/event-recording.ts'
import { eventName } from '../../../domain/copy/event-labels.ts'
import { openEvent } from '../../../stores/events/event-url.ts'
import { MARK_DELAY_MS, markEvents } from '../../../stores/events/events.ts'
import { toggleEventSelection } from '../../../stores/events/event-selection.ts'
import type { EventCardProps } from './event-card-props.ts'
import { type CreateNode, getImageProps, renderCardLink, renderThumbnail } from './event-list-markup.ts'
import { LazyHoverClip, LazyTagIcon } from './lazy-parts.tsx'
import { $isScrollingFast } from './scroll-velocity.ts'
import { QUICK_TAG_ICONS } from './quick-tag-icons.ts'

const h = createElement as CreateNode<ReactElement>

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
    if (visit) setTimeout(() => void markEvents(visit.clips.slice(1), true), MARK_DELAY_MS)
  }
  return (
    <div className="group">
      <SelectionCheckbox {...props} />
      {renderCardLink(h, {
        event,
        visit,
        camera,
        unusual,
        isMarked: isOpen || isSelected !== false,
        linkProps: {
          href,
          onClick: open,
          'data-event': event.event_id,
          'data-row': rowKey,
          tabIndex: isTabStop ? 0 : -1,
          'aria-current': isOpen || undefined,
        },
        thumbnail: <Thumbnail event={event} isStack={visit !== null} />,
        renderTagIcon,
      })}
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
  return renderThumbnail(
    h,
    {
      event,
      isStack,
      frameProps: {
        onPointerEnter: ({ pointerType }: PointerEvent) => setHovered(pointerType === 'mouse'),
        onPointerLeave: () => setHovered(false),
      },
    },
    isMissing ? (
      <Film size={20} aria-hidden />
    ) : (
      shouldLoadImage &&
        h('img', {
          ...getImageProps(event.event_id),
          ref: showLoadedImage,
          onLoad: ({ currentTarget }: { currentTarget: HTMLImageElement }) => (currentTarget.dataset['shown'] = ''),
          onError: () => setMissing(true),
        })
    ),
    isHovered && getClip(event) !== null && <LazyHoverClip props={{ eventId: event.event_id }} />,
  )
}

/** Shows an image that an early card or an earlier card of the event has loaded, without a fade and in this frame. */
function showLoadedImage(image: HTMLImageElement | null): void {
  if (!image?.complete || image.naturalWidth === 0) return
  image.decoding = 'sync'
  image.dataset['shown'] = ''
}

function renderTagIcon(name: string) {
  const Icon = QUICK_TAG_ICONS[name]
  return Icon ? <Icon size={14} aria-hidden /> : <LazyTagIcon props={{ name }} fallback={<i className="w-3.5" />} />
}
