import { formatCount } from '../../../domain/copy/counts.ts'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { type RefObject, useEffect, useState } from 'react'
import type { DayBlock } from './list-layout.ts'
import { TOP_ZONE_PX, useScrollTop } from './use-scroll-anchor.ts'

interface NewEventsButtonProps {
  readonly blocks: readonly DayBlock[]
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly margin: number
}

/**
 * Shows a button with the number of events that have arrived since the list was last at its top. The button scrolls to
 * the top. It covers the count in the heading of the day, and no row.
 */
export function NewEventsButton({ blocks, scroller, margin }: NewEventsButtonProps) {
  const newest = blocks[0]?.events[0]?.event_ts ?? 0
  const [seenUntil, setSeen] = useState(newest)
  const scrollTop = useScrollTop(scroller)

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const checkPosition = () => {
      if (scrollTop.current <= margin + TOP_ZONE_PX) setSeen(newest)
    }
    checkPosition()
    element.addEventListener('scroll', checkPosition, { passive: true })
    return () => element.removeEventListener('scroll', checkPosition)
  }, [scroller, scrollTop, margin, newest])

  const count =
    newest > seenUntil
      ? blocks.reduce((sum, { events }) => sum + events.filter((event) => event.event_ts > seenUntil).length, 0)
      : 0
  return (
    <div role="status" className="pointer-events-none sticky top-[calc(var(--stuck)+4px)] z-20 flex h-0 justify-end">
      {count > 0 && (
        <button
          type="button"
          className="btn btn-primary btn-sm pointer-events-auto rounded-full"
          onClick={() => scroller.current?.scrollTo({ top: 0 })}
        >
          <ArrowUp size={16} aria-hidden />
          {formatCount(count, 'new event')}
        </button>
      )}
    </div>
  )
}
