import { useStore } from '@nanostores/react'
import { memo, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import { foldsOver } from '../../../domain/events/event-groups.ts'
import { groupByDay } from '../../../domain/events/event-list.ts'
import { $address, $eventFilter, openSearch } from '../../../stores/events/event-url.ts'
import { $events, $recoveryEvents, $filteredEvents } from '../../../stores/events/events.ts'
import { $deleted, $selectedIds } from '../../../stores/events/event-selection.ts'
import { $openedFolds, openFold } from '../../../stores/events/event-groups.ts'
import { EventWindow } from './EventWindow.tsx'
import {
  EmptyList,
  FailedList,
  KeptLine,
  ListNotice,
  Overview,
  PhoneFilters,
  PhoneStrip,
  SelectionBar,
  WeekRow,
} from './lazy-parts.tsx'
import { ListSkeleton } from './ListSkeleton.tsx'
import { type DayBlock, layOutEventDays } from './list-layout.ts'
import { useKeptPlace } from './use-scroll-anchor.ts'
import { useIsWide } from '../../../ui/use-media.ts'

/** Event list with its own scrollbar; on phones, title and filters scroll with it. */
export function EventPanel({ isPhone, inert }: { isPhone: boolean | null; inert: boolean }) {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const top = useRef<HTMLDivElement>(null)
  const [margin, setMargin] = useState(0)
  const events = useStore($events)
  const visibleEvents = useStore($filteredEvents)
  const isRecovering = useStore($recoveryEvents).length > 0
  const filter = useStore($eventFilter)
  // The bar stays once it has appeared: it also reports deletions and exports, which start from a selection.
  const [hasBar, showBar] = useState(false)
  const selected = useStore($selectedIds)
  const isChoosing = selected.size > 0
  const isWide = useIsWide()
  const hasDeleted = useStore($deleted) !== null
  if ((isChoosing || hasDeleted) && !hasBar) showBar(true)
  const blocks = useBlocks(visibleEvents, selected)
  // While events are missing, the list must not claim that older events were not retained.
  const isPartial = events.state !== 'ready' || events.filling || events.shortfall !== null
  const question = useMemo(() => JSON.stringify(filter), [filter])
  useKeptPlace(scroller, blocks, margin, question)
  useLayoutEffect(() => {
    const element = content.current
    if (!element) return
    const measure = () => setMargin(top.current?.offsetTop ?? 0)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])

  return (
    <section
      aria-label="Events"
      inert={inert}
      className="panel max-md:bg-page! relative flex min-h-0 flex-1 flex-col overflow-hidden max-md:rounded-none! max-md:border-0!"
    >
      <div ref={scroller} className="list-scroller" data-scroller>
        <div ref={content}>
          {isPhone !== false && <PhoneHead blocks={blocks} scroller={scroller} />}
          {isWide !== true && (
            <div className="tablet-overview">
              {isPhone === false && <Overview props={{ compact: false }} fallback={null} />}
            </div>
          )}
          {events.state === 'ready' && events.shortfall && <ListNotice props={{}} fallback={null} />}
          <div ref={top} />
          {isRecovering && (
            <p role="status" className="text-small text-ink-2 px-2 py-3">
              These days hold very many events. Loading the newer ones.
            </p>
          )}
          {events.state === 'loading' && <ListSkeleton />}
          {events.state === 'failed' && <FailedList props={{ failure: events.failure }} fallback={null} />}
          {events.state === 'ready' &&
            blocks.length === 0 &&
            (events.filling ? <ListSkeleton /> : <EmptyList props={{}} fallback={null} />)}
          {blocks.length > 0 && <EventWindow {...{ blocks, scroller, margin, question }} />}
          {blocks.length > 0 && !isPartial && <KeptLine props={{}} fallback={null} />}
        </div>
      </div>
      {hasBar && <SelectionBar props={{}} fallback={null} />}
    </section>
  )
}

/** Returns the days of the list. Opens each group that hides a selected or open event; the group stays open. */
function useBlocks(events: readonly Event[], selected: ReadonlySet<string>): DayBlock[] {
  const opened = useStore($openedFolds)
  const openId = useStore($address).open?.eventId
  const days = useMemo(() => groupByDay(events), [events])
  const blocks = useMemo(() => layOutEventDays(days, opened), [days, opened])
  useLayoutEffect(() => {
    const held = openId ? new Set([...selected, openId]) : selected
    for (const { rows } of blocks) for (const fold of foldsOver(rows, held)) openFold(fold.ids)
  }, [blocks, selected, openId])
  return blocks
}

interface PhoneHeadProps {
  readonly blocks: readonly DayBlock[]
  readonly scroller: RefObject<HTMLDivElement | null>
}

/** Head of the list on phones: title, week, timeline strip of one camera, and filters. Week and filters are sticky. */
const PhoneHead = memo(function PhoneHead({ blocks, scroller }: PhoneHeadProps) {
  return (
    <>
      <div className="flex items-center justify-between px-2 pt-3 pb-2 md:hidden">
        <h1>Events</h1>
        <button type="button" className="btn btn-soft btn-sm search-entry" onClick={openSearch}>
          Search
        </button>
      </div>
      <WeekRow props={{ blocks, scroller }} fallback={<div className="phone-week" />} />
      <div className="phone-strip-place">
        <PhoneStrip props={{}} fallback={null} />
      </div>
      <div className="phone-filters">
        <PhoneFilters props={{}} fallback={null} />
      </div>
    </>
  )
})
