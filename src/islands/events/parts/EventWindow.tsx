import { useStore } from '@nanostores/react'
import { memo, type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { EventFilter } from '../../../domain/events/event-filter.ts'
import { $openEventId, formatFilteredEventHref } from '../../../stores/events/event-url.ts'
import { $cameraNames } from '../../../stores/events/event-cameras.ts'
import { $visibleEventIds, $anomalyTexts } from '../../../stores/events/visible-events.ts'
import { $isFilterSheetOpen } from '../../../stores/events/events.ts'
import { $selectedIds } from '../../../stores/events/event-selection.ts'
import { DaySection } from './DaySection.tsx'
import {
  type DayBlock,
  DAY_HEADING_HEIGHT_PX,
  EVENT_HEIGHT_PX,
  findEventTop,
  getTotalHeight,
  listClipIds,
  findVisibleDays,
} from './list-layout.ts'
import { LazyClipStage, LazyNewEventsButton } from './lazy-parts.tsx'
import { replayEarlyInput } from './early-list-state.ts'
import { getStickyHeight } from './use-scroll-anchor.ts'
import { useListKeys } from './use-list-keys.ts'
import { runAfterPaint } from '../../../ui/use-after-paint.ts'
import { useNow } from '../../../ui/use-now.ts'
import { useScrollWindow } from './use-scroll-window.ts'

interface EventWindowProps {
  readonly blocks: readonly DayBlock[]
  readonly scroller: RefObject<HTMLDivElement | null>
  /** Height of the content above the list, inside the scroller, CSS pixels. */
  readonly margin: number
  readonly filter: EventFilter
}

/** Moves the focus to the event whose clip was closed, if closing the clip left no element focused. */
function restoreFocus(eventId: string): void {
  if (document.activeElement !== document.body) return
  document.querySelector<HTMLElement>(`[data-event="${eventId}"]`)?.focus({ preventScroll: true })
}

function useScrollToEvent(
  blocks: readonly DayBlock[],
  scroller: RefObject<HTMLDivElement | null>,
  listOffsetPx: number,
): (eventId: string) => void {
  // The returned function reads the latest rows, because an event's visit may open only after this render.
  const latest = useRef(blocks)
  useLayoutEffect(() => {
    latest.current = blocks
  }, [blocks])
  return (eventId) => {
    const element = scroller.current
    const eventTop = findEventTop(latest.current, eventId)
    if (!element || eventTop === null) return
    const eventScrollTop = eventTop + listOffsetPx
    const covered = getStickyHeight(element) + DAY_HEADING_HEIGHT_PX
    if (eventScrollTop < element.scrollTop + covered) element.scrollTo({ top: eventScrollTop - covered })
    const minScrollTop = eventScrollTop + EVENT_HEIGHT_PX + 8 - element.clientHeight
    if (minScrollTop > element.scrollTop) element.scrollTo({ top: minScrollTop })
  }
}

function useOpenEventScroll(openId: string, reveal: (eventId: string) => void): void {
  const lastOpen = useRef('')
  useEffect(() => {
    const closedId = openId ? '' : lastOpen.current
    lastOpen.current = openId
    // After the paint. Before it, measuring or focusing would force an extra layout and delay the clip or the list.
    if (openId) return runAfterPaint(() => reveal(openId))
    return closedId ? runAfterPaint(() => restoreFocus(closedId)) : undefined
    // Runs only when an event opens or closes, because new events must not scroll the list.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [openId])
}

/** Virtualized list: only the visible events and a few around them are in the document. */
export const EventWindow = memo(function EventWindow({ blocks, scroller, margin, filter }: EventWindowProps) {
  const question = useMemo(() => JSON.stringify(filter), [filter])
  const openId = useStore($openEventId)
  const isCovered = useStore($isFilterSheetOpen)
  const { top, bottom } = useScrollWindow(scroller, { filterKey: question, listOffsetPx: margin, isCovered })
  const names = useStore($cameraNames)
  const now = useNow()
  const selected = useStore($selectedIds)
  const anomalyTexts = useStore($anomalyTexts)

  const reveal = useScrollToEvent(blocks, scroller, margin)
  const { tabStop, onKeyDown, onFocus } = useListKeys(blocks, reveal)
  useOpenEventScroll(openId, reveal)
  useEffect(replayEarlyInput, [])

  const days = findVisibleDays(blocks, top - margin, bottom - margin)
  const renderedRows = days.flatMap(({ block, from, to }) => block.rows.slice(from, to))
  const renderedIds = renderedRows.flatMap(listClipIds).join(' ')
  useEffect(() => $visibleEventIds.set(renderedIds.split(' ').filter(Boolean)), [renderedIds])
  const tabStopKey = [tabStop, openId].find((id) => renderedRows.some(({ key }) => key === id)) ?? renderedRows[0]?.key

  return (
    <>
      <LazyNewEventsButton key={question} props={{ blocks, scroller, margin }} />
      <div
        data-list
        data-selecting={selected.size > 0 || undefined}
        className="relative"
        style={{ height: getTotalHeight(blocks) }}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onPointerEnter={() => void LazyClipStage.preload()}
      >
        {days.map((day) => (
          <DaySection
            key={day.block.day}
            {...day}
            now={now}
            names={names}
            openId={openId}
            tabStop={tabStopKey}
            selected={selected}
            unusual={anomalyTexts}
            href={(event) => formatFilteredEventHref(filter, { eventId: event.event_id, deviceId: event.device_id })}
          />
        ))}
      </div>
    </>
  )
})
