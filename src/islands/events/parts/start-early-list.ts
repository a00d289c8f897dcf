import type { Event } from '../../../../contract/events/events.ts'
import { groupByDay } from '../../../domain/events/event-list.ts'
import { DEFAULT_FILTER } from '../../../domain/events/event-url.ts'
import { formatFilteredEventHref } from '../../../stores/events/event-url.ts'
import { $visitGapMs } from '../../../stores/events/visits.ts'
import { $userCameras } from '../../../stores/home/devices.ts'
import { recordEarlyFocus, recordEarlyPress } from './early-list-state.ts'
import {
  type CreateNode,
  getImageProps,
  renderCardLink,
  renderDay,
  renderRowItem,
  renderThumbnail,
} from './event-list-markup.ts'
import { type EventRow, findVisibleDays, getTotalHeight, layOutEventDays } from './list-layout.ts'

/**
 * Draws the first cards of /events without React, from the document's early request. React replaces them with equal
 * cards (ListSkeleton.tsx). Leaves URLs with a filter or an open clip, empty lists and failures to React.
 */
export function startEarlyList(): void {
  const draw = () => {
    const host = document.querySelector<HTMLElement>('[data-early-list]')
    const events = window.earlyEvents as readonly Event[] | undefined
    delete window.earlyEvents
    if (host && events && events.length > 0 && location.search === '') drawList(host, events)
  }
  if (window.earlyEvents) draw()
  else addEventListener('porchlight:early-events', draw, { once: true })
}

/** Draws the upper half of the screen, and the rest after a frame: together, they would be a long task on a phone. */
function drawList(host: HTMLElement, events: readonly Event[]): void {
  // The early request asks for one day.
  const [block] = layOutEventDays(groupByDay(events), $visitGapMs.get(), new Map())
  if (!block) return
  const names = new Map($userCameras.get().map(({ device_id, nickname }) => [device_id, nickname]))
  const renderRows = (from: number, to: number) =>
    block.rows.slice(from, to).map((row, i) => {
      const card = createNode('div', { className: 'group' }, renderEarlyCard(createNode, row, names, from + i === 0))
      return renderRowItem(createNode, block, from + i, card)
    })
  const [upperEnd, end] = [innerHeight / 2, innerHeight].map(
    (bottom) => findVisibleDays([block], 0, bottom)[0]?.to ?? 0,
  )
  const day = renderDay(createNode, block, Date.now(), false, renderRows(0, upperEnd ?? 0))
  host.replaceChildren(createNode('div', { className: 'relative', style: { height: getTotalHeight([block]) } }, day))
  host.addEventListener('click', onClick)
  host.addEventListener('focusin', ({ target }) => recordEarlyFocus(readEventId(target)))
  const firstImage = host.querySelector('img')
  if (firstImage) loadThumbnail(firstImage)
  requestAnimationFrame(() =>
    setTimeout(() => {
      day.querySelector('ul')?.append(...renderRows(upperEnd ?? 0, end ?? 0))
      void loadOtherThumbnails(host)
    }),
  )
}

function renderEarlyCard(
  h: CreateNode<Element>,
  { key, event, visit }: EventRow,
  names: ReadonlyMap<string, string>,
  isTabStop: boolean,
): Element {
  const isVisit = visit.clips.length > 1
  const { src, ...imageProps } = getImageProps(event.event_id)
  const image = h('img', { ...imageProps, 'data-src': src })
  const address = { eventId: event.event_id, deviceId: event.device_id }
  return renderCardLink(h, {
    event,
    visit: isVisit ? visit : null,
    camera: names.get(event.device_id) ?? '',
    unusual: '',
    isMarked: false,
    linkProps: {
      href: formatFilteredEventHref(DEFAULT_FILTER, address),
      'data-event': event.event_id,
      'data-row': key,
      tabIndex: isTabStop ? 0 : -1,
    },
    thumbnail: renderThumbnail(h, { event, isStack: isVisit, frameProps: {} }, image),
    renderTagIcon: () => h('i', { className: 'w-3.5' }),
  })
}

/** Loads the thumbnails after the first one, and after the code of the page, which they would delay (decision 0071). */
async function loadOtherThumbnails(host: HTMLElement): Promise<void> {
  const codeUrl = document.querySelector('astro-island')?.getAttribute('component-url')
  if (codeUrl) await import(/* @vite-ignore */ codeUrl).catch(() => undefined)
  host.querySelectorAll<HTMLImageElement>('img[data-src]').forEach(loadThumbnail)
}

function loadThumbnail(image: HTMLImageElement): void {
  image.addEventListener('load', () => (image.dataset['shown'] = ''))
  image.src = image.dataset['src'] ?? ''
  delete image.dataset['src']
}

const readEventId = (target: EventTarget | null): string =>
  (target as Element).closest<HTMLElement>('[data-event]')?.dataset['event'] ?? ''

/** Keeps a click until React has replaced the card. The browser itself handles clicks that open a tab or window. */
function onClick(click: MouseEvent): void {
  const eventId = readEventId(click.target)
  if (!eventId || click.metaKey || click.ctrlKey || click.shiftKey) return
  click.preventDefault()
  recordEarlyPress(eventId)
  ;(click.target as Element).closest('a')?.classList.replace('hover:bg-sunken', 'bg-primary-soft')
}

/** Creates a DOM element from the props of React. Ignores `key`. */
const createNode: CreateNode<Element> = (tag, props, ...children) => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(props ?? {})) {
    if (name === 'key' || value === undefined) continue
    if (name === 'className') element.className = String(value)
    else if (name === 'style')
      for (const [property, px] of Object.entries(value as object)) element.style.setProperty(property, `${px}px`)
    else element.setAttribute(name, String(value))
  }
  element.append(...children.filter((child) => child !== false && child !== null))
  return element
}
