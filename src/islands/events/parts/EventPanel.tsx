import { useStore } from '@nanostores/react'
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { groupByDay } from '../../../domain/event-list.ts'
import { $address } from '../../../stores/event-address.ts'
import { $events, $shown } from '../../../stores/events.ts'
import { EmptyList, FailedList, ListSkeleton } from './ListStates.tsx'
import { EventWindow } from './EventWindow.tsx'
import { FilterBar } from './FilterBar.tsx'
import { ListNotice } from './ListNotice.tsx'
import { type DayBlock, layOut } from './rows.ts'
import { useKeptPlace } from './use-kept-place.ts'
import { WeekRow } from './WeekRow.tsx'

/** The list of events with its own scroll bar; on a phone title and filters scroll with it. */
export function EventPanel({ isPhone, inert }: { isPhone: boolean | null; inert: boolean }) {
  const scroller = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const [margin, setMargin] = useState(0)
  const events = useStore($events)
  const shown = useStore($shown)
  const { filter } = useStore($address)
  const blocks = useMemo(() => layOut(groupByDay(shown)), [shown])
  useKeptPlace(scroller, blocks, margin, JSON.stringify(filter))
  useLayoutEffect(() => {
    const element = head.current
    if (!element) return
    const measure = () => setMargin(element.offsetHeight)
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
      <div ref={scroller} className="min-h-0 flex-1 scroll-pt-12 overflow-y-auto overscroll-contain px-2" data-scroller>
        <div ref={head}>
          {isPhone !== false && <PhoneHead blocks={blocks} scroller={scroller} />}
          <ListNotice />
        </div>
        {events.state === 'loading' && <ListSkeleton />}
        {events.state === 'failed' && <FailedList code={events.code} />}
        {events.state === 'ready' && blocks.length === 0 && (events.filling ? <ListSkeleton /> : <EmptyList />)}
        {blocks.length > 0 && <EventWindow blocks={blocks} scroller={scroller} margin={margin} />}
      </div>
    </section>
  )
}

function PhoneHead({ blocks, scroller }: { blocks: readonly DayBlock[]; scroller: RefObject<HTMLDivElement | null> }) {
  return (
    <div className="md:hidden">
      <h1 className="px-2 pt-3 pb-2">Events</h1>
      <WeekRow blocks={blocks} scroller={scroller} />
      <div className="-mx-2 flex [scrollbar-width:none] items-center gap-2 overflow-x-auto px-4 py-3">
        <FilterBar />
      </div>
    </div>
  )
}
