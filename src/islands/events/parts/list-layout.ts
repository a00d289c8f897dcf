import type { Event } from '../../../../contract/events/events.ts'
import { type EventRow, groupSimilarEvents } from '../../../domain/events/event-groups.ts'
import type { EventDay } from '../../../domain/events/event-list.ts'

/** Heights in CSS pixels. They are fixed, so that row positions need no measuring. */
export const DAY_HEADING_HEIGHT_PX = 44
export const EVENT_HEIGHT_PX = 88
const DAY_GAP_PX = 8

/**
 * One day of the list with its rows, position and height. `events` also contains events that are hidden in a collapsed
 * group.
 */
export interface DayBlock extends EventDay {
  readonly rows: readonly EventRow[]
  readonly top: number
  readonly height: number
}

/**
 * Computes the position of each day in the list. Collapses each group of similar events, unless `opened` contains the
 * id of an event in the group.
 */
export function layOutEventDays(days: readonly EventDay[], opened: ReadonlySet<string>): DayBlock[] {
  let top = 0
  return days.map((day) => {
    const rows = groupSimilarEvents(day.events, opened)
    const block = { ...day, rows, top, height: DAY_HEADING_HEIGHT_PX + rows.length * EVENT_HEIGHT_PX + DAY_GAP_PX }
    top += block.height
    return block
  })
}

export function getTotalHeight(blocks: readonly DayBlock[]): number {
  const last = blocks.at(-1)
  return last ? last.top + last.height : 0
}

/** Visible part of a day: rows `from` (inclusive) to `to` (exclusive). */
export interface VisibleDay {
  readonly block: DayBlock
  readonly from: number
  readonly to: number
}

export function findVisibleDays(blocks: readonly DayBlock[], top: number, bottom: number): VisibleDay[] {
  return blocks
    .filter((block) => block.top < bottom && block.top + block.height > top)
    .map((block) => {
      const begin = block.top + DAY_HEADING_HEIGHT_PX
      const clampIndex = (index: number) => Math.min(block.rows.length, Math.max(0, index))
      return {
        block,
        from: clampIndex(Math.floor((top - begin) / EVENT_HEIGHT_PX)),
        to: clampIndex(Math.ceil((bottom - begin) / EVENT_HEIGHT_PX)),
      }
    })
}

/** Returns the distance of an event from the top of the list, CSS pixels; null if the event has no row. */
export function findEventTop(blocks: readonly DayBlock[], eventId: string): number | null {
  for (const { rows, top } of blocks) {
    const index = rows.findIndex(({ event }) => event.event_id === eventId)
    if (index >= 0) return top + DAY_HEADING_HEIGHT_PX + index * EVENT_HEIGHT_PX
  }
  return null
}

/**
 * Returns the event at `top` CSS pixels from the top of the list; undefined below the last day. In a heading or a gap,
 * returns the nearest event of that day.
 */
export function findEventAt(blocks: readonly DayBlock[], top: number): Event | undefined {
  const block = blocks.find((day) => day.top + day.height > top)
  const index = block ? Math.max(0, Math.floor((top - block.top - DAY_HEADING_HEIGHT_PX) / EVENT_HEIGHT_PX)) : 0
  return block?.rows[Math.min(index, block.rows.length - 1)]?.event
}
