import type { Event } from '../../../../contract/events/events.ts'
import { dayLabel } from '../../../domain/time/list-date-formats.ts'
import { eventCountLabel } from '../../../domain/copy/event-labels.ts'
import { selectEvents } from '../../../stores/events/event-selection.ts'
import { EventCard } from './EventCard.tsx'
import { LazyGroupToggle } from './lazy-parts.tsx'
import { EVENT_HEIGHT_PX, type VisibleDay } from './list-layout.ts'

interface DaySectionProps extends VisibleDay {
  readonly now: number
  readonly names: ReadonlyMap<string, string>
  readonly openId: string
  readonly tabStop: string | undefined
  readonly selected: ReadonlySet<string>
  readonly unusual: ReadonlyMap<string, string>
  readonly href: (event: Event) => string
}

/** Day with a sticky heading and a virtualized list. */
export function DaySection({ block, from, to, now, names, openId, tabStop, selected, unusual, href }: DaySectionProps) {
  const { day, events, rows, top, height } = block
  const { name, date } = dayLabel(day, now)
  const heading = `day-${day}`
  return (
    <section aria-labelledby={heading} className="absolute inset-x-0" style={{ top, height }}>
      <h2
        id={heading}
        className="bg-page md:bg-surface sticky top-(--stuck) z-10 flex h-11 items-baseline gap-2 px-2 pt-3 text-[14px] leading-[22px] font-extrabold tracking-normal"
      >
        {name} <span className="text-micro text-ink-3 font-semibold">{date}</span>
        <span className="text-micro text-ink-3 ml-auto font-semibold">{eventCountLabel(events.length)}</span>
        {selected.size > 0 && (
          <button type="button" className="link-button text-small" onClick={() => selectEvents(events)}>
            Select day
          </button>
        )}
      </h2>
      <ul className="relative">
        {rows.slice(from, to).map(({ event, group }, i) => (
          <li
            key={event.event_id}
            aria-setsize={rows.length}
            aria-posinset={from + i + 1}
            className="absolute inset-x-0"
            style={{ top: (from + i) * EVENT_HEIGHT_PX }}
          >
            <EventCard
              event={event}
              camera={names.get(event.device_id) ?? ''}
              href={href(event)}
              isOpen={event.event_id === openId}
              isTabStop={event.event_id === tabStop}
              isSelected={selected.has(event.event_id)}
              unusual={unusual.get(event.event_id) ?? ''}
            />
            {group && <LazyGroupToggle props={{ fold: group, isTabStop: event.event_id === tabStop }} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
