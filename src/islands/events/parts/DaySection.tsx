import type { Event } from '../../../../contract/events/events.ts'
import { dayLabel } from '../../../domain/time/list-date-formats.ts'
import { formatClipCount } from '../../../domain/copy/counts.ts'
import { eventCountLabel, formatVisitCount } from '../../../domain/copy/event-labels.ts'
import { selectEvents } from '../../../stores/events/event-selection.ts'
import { EventCard } from './EventCard.tsx'
import { LazyVisitPart } from './lazy-parts.tsx'
import { type EventRow, listClipIds, type VisibleDay } from './list-layout.ts'

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
  const { day, events, rows, visitCount, top, height } = block
  const { name, date } = dayLabel(day, now)
  const heading = `day-${day}`
  const renderRow = (row: EventRow) => {
    const { part, key, event, visit, isOpen } = row
    const ids = listClipIds(row)
    const selectedCount = ids.filter((id) => selected.has(id)).length
    const props = {
      rowKey: key,
      event,
      visit: visit.clips.length > 1 ? visit : null,
      camera: names.get(event.device_id) ?? '',
      href: href(event),
      isOpen: event.event_id === openId && (part === 'clip' || !isOpen),
      isTabStop: key === tabStop,
      isSelected: selectedCount === ids.length || (selectedCount > 0 && 'mixed'),
      unusual: ids.map((id) => unusual.get(id)).find(Boolean) ?? '',
    } as const
    return (
      <>
        {part === 'card' && <EventCard {...props} />}
        {props.visit && <LazyVisitPart props={{ ...props, visit, part, isExpanded: isOpen }} />}
      </>
    )
  }
  return (
    <section aria-labelledby={heading} className="absolute inset-x-0" style={{ top, height }}>
      <h2
        id={heading}
        className="bg-page md:bg-surface sticky top-(--stuck) z-10 flex h-11 items-baseline gap-2 px-2 pt-3 text-[14px] leading-[22px] font-extrabold tracking-normal"
      >
        {name} <span className="text-micro text-ink-3 font-semibold">{date}</span>
        <span className="text-micro text-ink-3 ml-auto font-semibold">
          {visitCount < events.length
            ? `${formatVisitCount(visitCount)} · ${formatClipCount(events.length)}`
            : eventCountLabel(events.length)}
        </span>
        {selected.size > 0 && (
          <button type="button" className="link-button text-small" onClick={() => selectEvents(events)}>
            Select day
          </button>
        )}
      </h2>
      <ul>
        {rows.slice(from, to).map((row, i) => (
          <li
            key={row.key}
            aria-setsize={rows.length}
            aria-posinset={from + i + 1}
            data-visit={row.isOpen ? row.part : undefined}
            className="absolute inset-x-0"
            style={{ top: row.top }}
          >
            {renderRow(row)}
          </li>
        ))}
      </ul>
    </section>
  )
}
