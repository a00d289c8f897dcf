import type { Event } from '../../../../contract/events/events.ts'
import type { EventDay } from '../../../domain/events/event-list.ts'
import { groupVisits, summarizeVisit, type Visit } from '../../../domain/events/visits.ts'

/** Heights in CSS pixels. They are fixed, so that row positions need no measuring. */
export const DAY_HEADING_HEIGHT_PX = 44
export const EVENT_HEIGHT_PX = 88
const ROW_HEIGHTS_PX = { card: EVENT_HEIGHT_PX, clip: 52, more: 48 } as const
const DAY_GAP_PX = 8

/** Number of clips that an opened visit shows first. */
export const FIRST_CLIP_COUNT = 3

/**
 * Row of the list. `card`: a visit, or a single event. Below the card of an open visit: a `clip` row for each of its
 * first clips, and a `more` row for the rest.
 */
export interface EventRow {
  readonly part: keyof typeof ROW_HEIGHTS_PX
  readonly key: string
  /** Event of the row; for a visit, its summary; for `more`, the first clip without a row. */
  readonly event: Event
  readonly visit: Visit
  readonly isOpen: boolean
  /** Distance from the top of the day, CSS pixels. */
  readonly top: number
}

/** One day of the list with its rows, position and height. `events` also contains events without a row. */
export interface DayBlock extends EventDay {
  /** Built on first use: most days of a long list are never on screen. */
  readonly rows: readonly EventRow[]
  readonly visitCount: number
  readonly top: number
  readonly height: number
}

/** See `$openVisitEvents`. */
type OpenVisitEvents = ReadonlyMap<string, boolean>

/** Visits and rows of a day, independent of the day's position in the list. */
interface DayLayout extends EventDay {
  readonly visitGapMs: number
  readonly opened: OpenVisitEvents
  readonly visits: readonly Visit[]
  readonly height: number
  readonly listRows: () => readonly EventRow[]
}

/** Number of cached layouts of each day: with the last filters, and without a filter. */
const CACHED_LAYOUT_COUNT = 3

/**
 * Creates a function that computes the position of each day in the list. The function reuses the visits and rows of
 * days that had the same events before, because a new event changes only one day, and users add and remove filters.
 */
export function createListLayout() {
  const layouts = new Map<EventDay['day'], readonly DayLayout[]>()
  return (days: readonly EventDay[], visitGapMs: number, opened: OpenVisitEvents): DayBlock[] => {
    const current = days.map((day) => {
      const dayLayouts = layouts.get(day.day) ?? []
      const previous = dayLayouts.find((layout) => hasSameEvents(layout, day))
      const layout = layOutDay(day, visitGapMs, opened, previous)
      layouts.set(day.day, [layout, ...dayLayouts.filter((other) => other !== previous)].slice(0, CACHED_LAYOUT_COUNT))
      return layout
    })
    let top = 0
    return current.map((layout) => {
      const { day, events, visits, height } = layout
      const block = {
        day,
        events,
        visitCount: visits.length,
        top,
        height,
        get rows() {
          return layout.listRows()
        },
      }
      top += height
      return block
    })
  }
}

/** Computes the position of each day in a list that is laid out only once. */
export const layOutEventDays = (days: readonly EventDay[], visitGapMs: number, opened: OpenVisitEvents): DayBlock[] =>
  createListLayout()(days, visitGapMs, opened)

/** `previous`: a layout of the same events. */
function layOutDay(day: EventDay, visitGapMs: number, opened: OpenVisitEvents, previous?: DayLayout): DayLayout {
  const hasSameVisits = previous?.visitGapMs === visitGapMs
  if (hasSameVisits && previous.opened === opened) return previous
  const visits = hasSameVisits ? previous.visits : groupVisits(day.events, visitGapMs)
  const rowsHeight = visits.reduce((sum, { clips }) => sum + getVisitHeight(clips, opened), 0)
  let rows: readonly EventRow[] | null = null
  return {
    ...day,
    visitGapMs,
    opened,
    visits,
    height: DAY_HEADING_HEIGHT_PX + rowsHeight + DAY_GAP_PX,
    listRows: () => (rows ??= buildRows(visits, opened)),
  }
}

const hasSameEvents = (a: EventDay, b: EventDay): boolean =>
  a.events.length === b.events.length && a.events.every((event, i) => event === b.events[i])

function getVisitHeight(clips: readonly Event[], opened: OpenVisitEvents): number {
  const clipRowCount = listClipRows(clips, opened).length
  const hasMore = clipRowCount > 0 && clipRowCount < clips.length
  return ROW_HEIGHTS_PX.card + clipRowCount * ROW_HEIGHTS_PX.clip + (hasMore ? ROW_HEIGHTS_PX.more : 0)
}

function buildRows(visits: readonly Visit[], opened: OpenVisitEvents): EventRow[] {
  const rows: EventRow[] = []
  let top = DAY_HEADING_HEIGHT_PX
  const add = (part: EventRow['part'], event: Event, visit: Visit, isOpen: boolean) => {
    rows.push({ part, key: (part === 'card' ? '' : part) + event.event_id, event, visit, isOpen, top })
    top += ROW_HEIGHTS_PX[part]
  }
  for (const visit of visits) {
    const { clips } = visit
    const clipRows = listClipRows(clips, opened)
    add('card', summarizeVisit(visit), visit, clipRows.length > 0)
    for (const clip of clipRows) add('clip', clip, visit, true)
    const next = clips[clipRows.length]
    if (next && clipRows.length > 0) add('more', next, visit, true)
  }
  return rows
}

/** Returns the clips that have a row of their own: none if the visit is closed. */
function listClipRows(clips: readonly Event[], opened: OpenVisitEvents): readonly Event[] {
  const open = opened.size > 0 && clips.length > 1 ? clips.filter(({ event_id }) => opened.has(event_id)) : []
  if (open.length === 0) return []
  // A row for one more clip is as high as that clip.
  const showsAll = clips.length === FIRST_CLIP_COUNT + 1 || open.some(({ event_id }) => opened.get(event_id))
  return showsAll ? clips : clips.slice(0, FIRST_CLIP_COUNT)
}

/** Returns the ids of the events that the row stands for. */
export function listClipIds({ part, event, visit: { clips } }: EventRow): string[] {
  const rowClips = part === 'clip' ? [event] : part === 'card' ? clips : clips.slice(clips.indexOf(event))
  return rowClips.map(({ event_id }) => event_id)
}

/** Returns the visit that contains the event and shows no row for it. */
export function findVisitHiding(blocks: readonly DayBlock[], eventId: string): Visit | undefined {
  const row = findRow(blocks, eventId)
  if (row && row.part !== 'more') return undefined
  for (const { rows } of listDaysOfEvent(blocks, eventId))
    for (const { visit } of rows) if (visit.clips.some(({ event_id }) => event_id === eventId)) return visit
  return undefined
}

/** Returns the days that may contain an event or row: the key of a row ends with the id of an event. */
const listDaysOfEvent = (blocks: readonly DayBlock[], id: string): DayBlock[] =>
  blocks.filter(({ events }) => events.some(({ event_id }) => id.endsWith(event_id)))

function findRow(blocks: readonly DayBlock[], id: string): (EventRow & { readonly listTop: number }) | undefined {
  for (const { rows, top } of listDaysOfEvent(blocks, id)) {
    const row = rows.find(({ key, event }) => key === id || event.event_id === id)
    if (row) return { ...row, listTop: top + row.top }
  }
  return undefined
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
    .map((block) => ({
      block,
      from: findRowIndexAt(block, top),
      to: findRowIndexAt(block, bottom) + 1,
    }))
}

/** Returns the distance of a row or event from the top of the list, CSS pixels; null if there is no such row. */
export const findEventTop = (blocks: readonly DayBlock[], id: string): number | null =>
  findRow(blocks, id)?.listTop ?? null

/**
 * Returns the event at `top` CSS pixels from the top of the list; undefined below the last day. In a heading or a gap,
 * returns the nearest event of that day.
 */
export function findEventAt(blocks: readonly DayBlock[], top: number): Event | undefined {
  const block = blocks.find((day) => day.top + day.height > top)
  return block?.rows[findRowIndexAt(block, top)]?.event
}

/** Returns the index of the row at `top` CSS pixels from the top of the list, or of the nearest row of the day. */
const findRowIndexAt = ({ rows, top: dayTop }: DayBlock, top: number): number =>
  Math.max(
    0,
    rows.findLastIndex((row) => row.top <= top - dayTop),
  )
