import type { Event } from '../../../../contract/events/events.ts'
import { formatClipCount } from '../../../domain/copy/counts.ts'
import { eventCountLabel, eventName, formatVisitCount } from '../../../domain/copy/event-labels.ts'
import { getClip } from '../../../domain/events/event-recording.ts'
import { listShownTags, titleLabel } from '../../../domain/events/event-types.ts'
import type { Visit } from '../../../domain/events/visits.ts'
import { formatClockSpan } from '../../../domain/time/clock-time.ts'
import { dayLabel, durationLabel, timeLabel } from '../../../domain/time/list-date-formats.ts'
import type { DayBlock } from './list-layout.ts'

type NodeProps = Readonly<Record<string, unknown>>

/**
 * Creates an element: `createElement` of React, or a function that creates DOM nodes (start-early-list.ts). The
 * functions below are the only source of the list's markup, so that early cards look like those of React.
 */
export type CreateNode<N> = (
  tag: string,
  props: NodeProps | null,
  ...children: readonly (N | string | false | null)[]
) => N

export interface CardContent<N> {
  readonly event: Event
  /** null for a single clip. */
  readonly visit: Visit | null
  readonly camera: string
  /** Reason why the event is unusual, '' if it is not. */
  readonly unusual: string
  readonly isMarked: boolean
  readonly linkProps: NodeProps
  readonly thumbnail: N
  readonly renderTagIcon: (icon: string) => N
}

/** Link of an event or visit, without its checkbox. */
export function renderCardLink<N>(h: CreateNode<N>, card: CardContent<N>): N {
  const { event, visit, camera, unusual, isMarked, linkProps, thumbnail } = card
  return h(
    'a',
    {
      ...linkProps,
      className: `relative flex h-[88px] gap-3 rounded-[14px] p-2 outline-offset-[-3px]! ${isMarked ? 'bg-primary-soft inset-ring-primary-line inset-ring-[1.5px]' : 'hover:bg-sunken'}`,
    },
    h('span', { className: 'sr-only' }, eventName(event, camera, visit), unusual !== '' && `. ${unusual}`),
    thumbnail,
    h(
      'span',
      { 'aria-hidden': true, className: 'flex min-w-0 flex-1 flex-col pt-0.5' },
      h(
        'span',
        { className: 'flex items-center gap-2' },
        h(
          'span',
          { className: `truncate leading-5 ${event.reviewed ? 'font-bold' : 'font-extrabold'}` },
          titleLabel(event),
        ),
        !event.reviewed && h('span', { className: 'dot text-primary' }),
      ),
      h(
        'span',
        { className: 'text-small text-ink-2 truncate' },
        camera !== '' && h('span', null, `${camera} · `),
        visit ? formatClockSpan(visit.begin, visit.end) : timeLabel(event.event_ts),
      ),
      renderTags(h, card),
    ),
  )
}

function renderTags<N>(h: CreateNode<N>, { event, unusual, renderTagIcon }: CardContent<N>): N {
  return h(
    'span',
    {
      className: 'event-tags mt-1.5 flex h-5 flex-wrap content-start items-center gap-x-2.5 gap-y-2 overflow-hidden',
      title: unusual || undefined,
    },
    unusual !== '' && h('span', { className: 'badge badge-primary text-micro h-5! flex-none px-2!' }, 'Unusual'),
    ...listShownTags(event).map(({ id, icon, name }) =>
      h(
        'span',
        { key: id, className: 'text-micro text-ink-2 flex flex-none items-center gap-1 font-bold' },
        renderTagIcon(icon),
        name,
      ),
    ),
  )
}

/** Frame of a thumbnail with the length of the clip. `children`: the image, and what covers it. */
export function renderThumbnail<N>(
  h: CreateNode<N>,
  { event, isStack, frameProps }: { event: Event; isStack: boolean; frameProps: NodeProps },
  ...children: readonly (N | false)[]
): N {
  const clip = getClip(event)
  return h(
    'span',
    {
      'aria-hidden': true,
      ...frameProps,
      className: `bg-sunken text-ink-3 relative grid h-[72px] w-32 flex-none place-items-center overflow-hidden rounded-[10px] ${isStack ? 'stack' : ''}`,
    },
    ...children,
    clip !== null &&
      h(
        'span',
        {
          className:
            'absolute right-[5px] bottom-[5px] h-[18px] rounded-md bg-[rgb(12_8_18/.8)] px-1.5 text-[11px] leading-[18px] font-[750] text-white',
        },
        durationLabel(clip.length),
      ),
  )
}

/** Attributes of a thumbnail's image. It becomes visible with `data-shown` (events.css). */
export const getImageProps = (eventId: string) => ({
  src: `/m/thumb/${eventId}`,
  alt: '',
  width: 128,
  height: 72,
  loading: 'lazy',
  decoding: 'async',
  className: 'event-thumb size-full object-cover',
})

/** Day with a sticky heading. `rows`: list items of `renderRowItem`. `action`: button in the heading. */
export function renderDay<N>(h: CreateNode<N>, block: DayBlock, now: number, action: N | false, rows: readonly N[]): N {
  const { day, events, visitCount, top, height } = block
  const { name, date } = dayLabel(day, now)
  const heading = `day-${day}`
  return h(
    'section',
    { key: day, 'aria-labelledby': heading, className: 'absolute inset-x-0', style: { top, height } },
    h(
      'h2',
      {
        id: heading,
        className:
          'bg-page md:bg-surface sticky top-(--stuck) z-10 flex h-11 items-baseline gap-2 px-2 pt-3 text-[14px] leading-[22px] font-extrabold tracking-normal',
      },
      name,
      ' ',
      h('span', { className: 'text-micro text-ink-3 font-semibold' }, date),
      h(
        'span',
        { className: 'text-micro text-ink-3 ml-auto font-semibold' },
        visitCount < events.length
          ? `${formatVisitCount(visitCount)} · ${formatClipCount(events.length)}`
          : eventCountLabel(events.length),
      ),
      action,
    ),
    h('ul', null, ...rows),
  )
}

/** List item at the position of row `index` of the day. */
export function renderRowItem<N>(h: CreateNode<N>, { rows }: DayBlock, index: number, ...children: readonly N[]): N {
  const row = rows[index]
  return h(
    'li',
    {
      key: row?.key,
      'aria-setsize': rows.length,
      'aria-posinset': index + 1,
      'data-visit': row?.isOpen ? row.part : undefined,
      className: 'absolute inset-x-0',
      style: { top: row?.top },
    },
    ...children,
  )
}
