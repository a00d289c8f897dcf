import type { RefObject } from 'react'
import type { DayBlock } from './list-layout.ts'
import { getStickyHeight } from './use-scroll-anchor.ts'
import { useNow } from '../../../ui/use-now.ts'
import { eventCountLabel } from '../../../domain/copy/event-labels.ts'
import { dayOfMonthLabel, shortWeekdayLabel, weekdayWords } from '../../../domain/time/date-formats.ts'
import { addDays, toDay, isSameDay } from '../../../domain/time/local-time.ts'

/** The last seven days. A dot marks a day with events; a tap scrolls the list to that day. */
export function WeekRow({
  blocks,
  scroller,
}: {
  blocks: readonly DayBlock[]
  scroller: RefObject<HTMLDivElement | null>
}) {
  const now = useNow()
  const days = Array.from({ length: 7 }, (_, i) => addDays(now, i - 6))

  function scrollToDay(top: number): void {
    const element = scroller.current
    const list = element?.querySelector<HTMLElement>('[data-list]')
    if (element && list) element.scrollTo({ top: list.offsetTop + top - getStickyHeight(element) })
  }

  if (now === 0) return <div className="phone-week" />
  return (
    <div className="phone-week" role="group" aria-label="Last seven days">
      {days.map((date) => {
        const name = toDay(date)
        const block = blocks.find(({ day }) => day === name)
        const isToday = isSameDay(date, now)
        return (
          <button
            key={date}
            type="button"
            disabled={!block}
            onClick={() => block && scrollToDay(block.top)}
            className={`text-micro flex h-[58px] w-[46px] flex-col items-center rounded-[14px] pt-1.5 ${isToday ? 'bg-primary text-white' : 'text-ink-3'}`}
          >
            <span className="sr-only">
              {`${weekdayWords(date)}, ${block ? eventCountLabel(block.events.length) : 'no events'}`}
            </span>
            <span aria-hidden className="flex flex-col items-center">
              {shortWeekdayLabel(date)}
              <span className={`text-[17px] leading-5 font-extrabold ${isToday ? '' : 'text-ink'}`}>
                {dayOfMonthLabel(date)}
              </span>
              {block && <span className={`mt-1 size-1 rounded-full ${isToday ? 'bg-white' : 'bg-primary'}`} />}
            </span>
          </button>
        )
      })}
    </div>
  )
}
