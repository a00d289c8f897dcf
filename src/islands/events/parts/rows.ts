import type { Event } from '../../../../contract/events.ts'
import type { EventDay } from '../../../domain/event-list.ts'

/** Heights in CSS pixels. They are fixed, so where a row stands is known without measuring it. */
export const DAY_HEIGHT = 44
export const EVENT_HEIGHT = 88
const DAY_GAP = 8

/** One day of the list: where it begins and how high it is. */
export interface DayBlock extends EventDay {
  readonly top: number
  readonly height: number
}

/** Places the days below each other. */
export function layOut(days: readonly EventDay[]): DayBlock[] {
  let top = 0
  return days.map((day) => {
    const block = { ...day, top, height: DAY_HEIGHT + day.events.length * EVENT_HEIGHT + DAY_GAP }
    top += block.height
    return block
  })
}

export function totalHeight(blocks: readonly DayBlock[]): number {
  const last = blocks.at(-1)
  return last ? last.top + last.height : 0
}

/** A day and the part of its events, `from` up to but not including `to`, that lies between two heights of the list. */
export interface VisibleDay {
  readonly block: DayBlock
  readonly from: number
  readonly to: number
}

export function visibleDays(blocks: readonly DayBlock[], top: number, bottom: number): VisibleDay[] {
  return blocks
    .filter((block) => block.top < bottom && block.top + block.height > top)
    .map((block) => {
      const begin = block.top + DAY_HEIGHT
      const within = (index: number) => Math.min(block.events.length, Math.max(0, index))
      return {
        block,
        from: within(Math.floor((top - begin) / EVENT_HEIGHT)),
        to: within(Math.ceil((bottom - begin) / EVENT_HEIGHT)),
      }
    })
}

/** Distance of an event from the top of the list, or null when it is not in it. */
export function topOf(blocks: readonly DayBlock[], eventId: string): number | null {
  for (const { events, top } of blocks) {
    const index = events.findIndex((event) => event.event_id === eventId)
    if (index >= 0) return top + DAY_HEIGHT + index * EVENT_HEIGHT
  }
  return null
}

/** The first event of which something is below `top`. */
export function eventAt(blocks: readonly DayBlock[], top: number): Event | undefined {
  const block = blocks.find((day) => day.top + day.height > top)
  const index = block ? Math.max(0, Math.floor((top - block.top - DAY_HEIGHT) / EVENT_HEIGHT)) : 0
  return block?.events[Math.min(index, block.events.length - 1)]
}
