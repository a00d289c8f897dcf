import type { Event } from '../../../../contract/events.ts'
import type { EventDay } from '../../../domain/event-list.ts'

/** Heights in CSS pixels. */
export const DAY_HEIGHT = 44
export const EVENT_HEIGHT = 88
const DAY_GAP = 8

/** One day of the list: where it begins and how high it is. */
export interface DayBlock extends EventDay {
  /** Row index of its heading; its events follow. */
  readonly row: number
  readonly top: number
  readonly height: number
}

/** Places the days below each other. */
export function layOut(days: readonly EventDay[]): DayBlock[] {
  let row = 0
  let top = 0
  return days.map((day) => {
    const block = { ...day, row, top, height: DAY_HEIGHT + day.events.length * EVENT_HEIGHT + DAY_GAP }
    row += day.events.length + 1
    top += block.height
    return block
  })
}

/** Heights of the rows: each day's heading, then its events, the last with the gap to the next day. */
export function rowHeights(blocks: readonly DayBlock[]): number[] {
  return blocks.flatMap(({ events }) => [
    DAY_HEIGHT,
    ...events.map((_, i) => (i === events.length - 1 ? EVENT_HEIGHT + DAY_GAP : EVENT_HEIGHT)),
  ])
}

/** Where an event stands: its row and its distance from the top of the list; null when it is not in it. */
export function placeOf(blocks: readonly DayBlock[], eventId: string): { row: number; top: number } | null {
  for (const { events, row, top } of blocks) {
    const index = events.findIndex((event) => event.event_id === eventId)
    if (index >= 0) return { row: row + 1 + index, top: top + DAY_HEIGHT + index * EVENT_HEIGHT }
  }
  return null
}

/** The first event of which something is below `top`. */
export function eventAt(blocks: readonly DayBlock[], top: number): Event | undefined {
  const block = blocks.find((day) => day.top + day.height > top)
  const index = block ? Math.max(0, Math.floor((top - block.top - DAY_HEIGHT) / EVENT_HEIGHT)) : 0
  return block?.events[Math.min(index, block.events.length - 1)]
}
