import { useStore } from '@nanostores/react'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { $address, formatFilteredEventHref } from '../../../stores/events/event-url.ts'
import { $cameraNames } from '../../../stores/events/event-cameras.ts'
import { $inView, $unusual } from '../../../stores/events/visible-events.ts'
import { $selectedIds } from '../../../stores/events/event-selection.ts'
import { DaySection } from './DaySection.tsx'
import { NewEvents } from './NewEventsButton.tsx'
import { type DayBlock, DAY_HEIGHT, EVENT_HEIGHT, findEventTop, totalHeight, visibleDays } from './list-layout.ts'
import { preloadStage } from './lazy-parts.tsx'
import { stickyHeight } from './use-scroll-anchor.ts'
import { useListKeys } from './use-list-keys.ts'
import { useNow } from '../../../ui/use-now.ts'
import { useScrollWindow } from './use-scroll-window.ts'

interface EventWindowProps {
  readonly blocks: readonly DayBlock[]
  readonly scroller: RefObject<HTMLDivElement | null>
  /** Height of the content above the list, inside the scroller. */
  readonly margin: number
  readonly question: string
}

/** Moves the focus to the event whose clip was closed, if closing the clip left no element focused. */
function giveFocusBack(eventId: string): void {
  if (document.activeElement !== document.body) return
  document.querySelector<HTMLElement>(`[data-event="${eventId}"]`)?.focus({ preventScroll: true })
}

/** Returns a function that scrolls an event of the list into view. */
function useReveal(
  blocks: readonly DayBlock[],
  scroller: RefObject<HTMLDivElement | null>,
  margin: number,
): (eventId: string) => void {
  // If a group hides an event, the event gets its row only in the next render, so the latest rows are read.
  const latest = useRef(blocks)
  useLayoutEffect(() => {
    latest.current = blocks
  }, [blocks])
  return (eventId) => {
    const element = scroller.current
    const place = findEventTop(latest.current, eventId)
    if (!element || place === null) return
    const event = place + margin
    const covered = stickyHeight(element) + DAY_HEIGHT
    if (event < element.scrollTop + covered) element.scrollTo({ top: event - covered })
    const lowest = event + EVENT_HEIGHT + 8 - element.clientHeight
    if (lowest > element.scrollTop) element.scrollTo({ top: lowest })
  }
}

/** Scrolls an opened event into view. After the clip is closed, moves the focus back to its event. */
function useOpened(openId: string, reveal: (eventId: string) => void): void {
  const lastOpen = useRef('')
  useEffect(() => {
    // Measures in an animation frame, when layout happens anyway.
    const frame = openId ? requestAnimationFrame(() => reveal(openId)) : 0
    if (!openId && lastOpen.current) giveFocusBack(lastOpen.current)
    lastOpen.current = openId
    return () => cancelAnimationFrame(frame)
    // Only when another event opens: new events must not scroll the list.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [openId])
}

/** Virtualized list: only the visible events and a few around them are in the document. */
export function EventWindow({ blocks, scroller, margin, question }: EventWindowProps) {
  const address = useStore($address)
  const { top, bottom } = useScrollWindow(scroller, question)
  const names = useStore($cameraNames)
  const now = useNow()
  const selected = useStore($selectedIds)
  const unusual = useStore($unusual)
  const openId = address.open?.eventId ?? ''

  const reveal = useReveal(blocks, scroller, margin)
  const { tabStop, onKeyDown, onFocus } = useListKeys(blocks, reveal)
  useOpened(openId, reveal)

  const days = visibleDays(blocks, top - margin, bottom - margin)
  const renderedEvents = days.flatMap(({ block, from, to }) => block.rows.slice(from, to).map(({ event }) => event))
  const drawnIds = renderedEvents.map(({ event_id }) => event_id).join(' ')
  useEffect(() => $inView.set(drawnIds.split(' ').filter(Boolean)), [drawnIds])
  const stop =
    [tabStop, openId].find((id) => renderedEvents.some((event) => event.event_id === id)) ?? renderedEvents[0]?.event_id

  return (
    <>
      <NewEvents key={question} blocks={blocks} scroller={scroller} margin={margin} />
      <div
        data-list
        data-selecting={selected.size > 0 || undefined}
        className="relative"
        style={{ height: totalHeight(blocks) }}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onPointerEnter={() => void preloadStage()}
      >
        {days.map((day) => (
          <DaySection
            key={day.block.day}
            {...day}
            now={now}
            names={names}
            openId={openId}
            tabStop={stop}
            selected={selected}
            unusual={unusual}
            href={(event) => formatFilteredEventHref(address, { eventId: event.event_id, deviceId: event.device_id })}
          />
        ))}
      </div>
    </>
  )
}
