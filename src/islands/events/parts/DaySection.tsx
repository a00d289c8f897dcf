import { createElement, type ReactElement } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import { selectEvents } from '../../../stores/events/event-selection.ts'
import { EventCard } from './EventCard.tsx'
import { LazyVisitPart } from './lazy-parts.tsx'
import { type CreateNode, renderDay, renderRowItem } from './event-list-markup.ts'
import { type EventRow, listClipIds, type VisibleDay } from './list-layout.ts'

const h = createElement as CreateNode<ReactElement>

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
  const { events, rows } = block
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
  const selectButton = selected.size > 0 && (
    <button type="button" className="link-button text-small" onClick={() => selectEvents(events)}>
      Select day
    </button>
  )
  const items = rows.slice(from, to).map((row, i) => renderRowItem(h, block, from + i, renderRow(row)))
  return renderDay(h, block, now, selectButton, items)
}
