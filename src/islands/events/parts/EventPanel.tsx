import { useStore } from '@nanostores/react'
import { memo, type RefObject, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import { groupByDay } from '../../../domain/events/event-list.ts'
import { $eventFilter, $openEventId, openSearch } from '../../../stores/events/event-url.ts'
import { $events, $recoveryEvents, $filteredEvents } from '../../../stores/events/events.ts'
import { $deletedEvents, $selectedIds } from '../../../stores/events/event-selection.ts'
import { $openVisitEvents, $visitGapMs, openVisit } from '../../../stores/events/visits.ts'
import { EventWindow } from './EventWindow.tsx'
import {
  LazyEmptyList,
  LazyListError,
  LazyRetentionNotice,
  LazyListNotice,
  LazyEventsOverview,
  LazyPhoneFilters,
  LazyPhoneStrip,
  LazySelectionBar,
  LazyWeekRow,
  LazyZoneHint,
} from './lazy-parts.tsx'
import { ListSkeleton } from './ListSkeleton.tsx'
import { OVERVIEW_SKELETON, PHONE_FILTERS_SKELETON, STRIP_SKELETON, WEEK_SKELETON } from './skeletons.tsx'
import { createListLayout, type DayBlock, findVisitHiding, FIRST_CLIP_COUNT } from './list-layout.ts'
import { useScrollAnchor } from './use-scroll-anchor.ts'
import { useIsWide } from '../../../ui/use-media.ts'

/** Event list with its own scrollbar. On phones, the scrolled content also contains title, week and filters. */
export function EventPanel({ isPhone, isCovered }: { isPhone: boolean | null; isCovered: boolean }) {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const listTop = useRef<HTMLDivElement>(null)
  const [listOffsetPx, setMargin] = useState(0)
  const events = useStore($events)
  const filteredEvents = useStore($filteredEvents)
  const isRecovering = useStore($recoveryEvents).length > 0
  const filter = useStore($eventFilter)
  // The selection bar stays once it has appeared, because it also reports deletions and exports of selected events.
  const [hasBar, showBar] = useState(false)
  const selected = useStore($selectedIds)
  const isSelecting = selected.size > 0
  const isWide = useIsWide()
  const hasDeleted = useStore($deletedEvents) !== null
  if ((isSelecting || hasDeleted) && !hasBar) showBar(true)
  const blocks = useDayBlocks(filteredEvents)
  // Deferred, so that the list is painted before the week above it.
  const weekBlocks = useDeferredValue(blocks)
  // While events are missing, the list must not claim that older events were not retained.
  const isPartial = events.state !== 'ready' || events.isFilling || events.shortfall !== null
  const filterKey = useMemo(() => JSON.stringify(filter), [filter])
  useScrollAnchor(scroller, blocks, listOffsetPx, filterKey)
  useLayoutEffect(() => {
    const element = content.current
    if (!element) return
    // The observer also reports the first layout. Measuring before it would force another layout.
    const observer = new ResizeObserver(() => setMargin(listTop.current?.offsetTop ?? 0))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return (
    <section
      aria-label="Events"
      // Not `inert`, which would compute the styles of all cards again when the clip closes.
      data-covered={isCovered || undefined}
      aria-hidden={isCovered || undefined}
      className="panel max-md:bg-page! relative flex min-h-0 flex-1 flex-col overflow-hidden max-md:rounded-none! max-md:border-0!"
    >
      <div ref={scroller} className="list-scroller" data-scroller data-one={filter.cameras.length === 1 || undefined}>
        <div ref={content}>
          {isPhone !== false && <PhoneListHeader blocks={weekBlocks} scroller={scroller} />}
          {isWide !== true && (
            <div className="tablet-overview">
              {isPhone === false && <LazyEventsOverview props={{ compact: false }} fallback={OVERVIEW_SKELETON} />}
            </div>
          )}
          {events.state === 'ready' && events.shortfall && <LazyListNotice props={{}} />}
          <div ref={listTop} />
          {isRecovering && (
            <p role="status" className="text-small text-ink-2 px-2 py-3">
              Loading the newest events first…
            </p>
          )}
          {events.state === 'loading' && <ListSkeleton />}
          {events.state === 'failed' && <LazyListError props={{ failure: events.failure }} />}
          {events.state === 'ready' &&
            blocks.length === 0 &&
            (events.isFilling ? <ListSkeleton /> : <LazyEmptyList props={{}} />)}
          {blocks.length > 0 && (
            <EventWindow blocks={blocks} scroller={scroller} margin={listOffsetPx} filter={filter} />
          )}
          {blocks.length > 0 && !isPartial && <LazyRetentionNotice props={{}} />}
        </div>
      </div>
      {isPhone === true && !isSelecting && <LazyZoneHint props={{}} />}
      {hasBar && <LazySelectionBar props={{}} />}
    </section>
  )
}

/** Returns the days of the list. Opens the visit that hides the open event; the visit stays open. */
function useDayBlocks(events: readonly Event[]): DayBlock[] {
  const opened = useStore($openVisitEvents)
  const visitGapMs = useStore($visitGapMs)
  const openId = useStore($openEventId)
  const days = useMemo(() => groupByDay(events), [events])
  const [layOut] = useState(createListLayout)
  const blocks = useMemo(() => layOut(days, visitGapMs, opened), [layOut, days, visitGapMs, opened])
  useLayoutEffect(() => {
    const visit = openId && findVisitHiding(blocks, openId)
    if (visit) openVisit(visit, visit.clips.findIndex(({ event_id }) => event_id === openId) >= FIRST_CLIP_COUNT)
  }, [blocks, openId])
  return blocks
}

interface PhoneListHeaderProps {
  readonly blocks: readonly DayBlock[]
  readonly scroller: RefObject<HTMLDivElement | null>
}

const PhoneListHeader = memo(function PhoneHead({ blocks, scroller }: PhoneListHeaderProps) {
  return (
    <>
      <div className="flex items-center justify-between px-2 pt-3 pb-2 md:hidden">
        <h1>Events</h1>
        <button type="button" className="btn btn-soft btn-sm search-entry" onClick={openSearch}>
          Search
        </button>
      </div>
      <LazyWeekRow props={{ blocks, scroller }} fallback={WEEK_SKELETON} />
      <div className="phone-strip-place">
        <LazyPhoneStrip props={{}} fallback={STRIP_SKELETON} />
      </div>
      <div className="phone-filters">
        <LazyPhoneFilters props={{}} fallback={PHONE_FILTERS_SKELETON} />
      </div>
    </>
  )
})
