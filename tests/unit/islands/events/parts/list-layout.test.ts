import { describe, expect, test } from 'vitest'
import { type Event, VISIT_GAP_MS } from '../../../../../contract/events/events.ts'
import { groupByDay } from '../../../../../src/domain/events/event-list.ts'
import {
  createListLayout,
  findEventTop,
  findVisibleDays,
  findVisitHiding,
  getTotalHeight,
  layOutEventDays,
  listClipIds,
} from '../../../../../src/islands/events/parts/list-layout.ts'

const NOON = new Date(2026, 10, 20, 12).getTime()

/** Returns events of one day, newest first: a visit of `count` clips from e0 on, after a single clip `s`. */
const createEvents = (count: number): Event[] =>
  [
    { event_id: 's', event_ts: NOON - 3_600_000 },
    ...Array.from({ length: count }, (_, i) => ({ event_id: `e${i}`, event_ts: NOON + i * 1000 })),
  ]
    .map((event) => ({
      device_id: 'street',
      tags: ['4'],
      event_values: [],
      title: 'Motion',
      event_resources: [],
      reviewed: true,
      ...event,
    }))
    .reverse()

const layOut = (count: number, opened: Record<string, boolean> = {}, gapMs = VISIT_GAP_MS) =>
  layOutEventDays(groupByDay(createEvents(count)), gapMs, new Map(Object.entries(opened)))
const listRowKeys = (...input: Parameters<typeof layOut>) =>
  layOut(...input).flatMap(({ rows }) => rows.map(({ key }) => key))

describe('a visit', () => {
  test('is one row until it is opened', () => {
    expect(listRowKeys(9)).toEqual(['e0', 's'])
    expect(layOut(9)[0]).toMatchObject({ visitCount: 2, height: 44 + 2 * 88 + 8 })
    expect(listRowKeys(9, {}, -Infinity)).toEqual(['e8', 'e7', 'e6', 'e5', 'e4', 'e3', 'e2', 'e1', 'e0', 's'])
  })

  test('shows three clips when opened, then all', () => {
    expect(listRowKeys(9, { e4: false })).toEqual(['e0', 'clipe0', 'clipe1', 'clipe2', 'moree3', 's'])
    expect(listRowKeys(5, { e4: true })).toEqual(['e0', 'clipe0', 'clipe1', 'clipe2', 'clipe3', 'clipe4', 's'])
    expect(layOut(9, { e4: false })[0]?.height).toBe(44 + 2 * 88 + 3 * 52 + 48 + 8)
  })

  test('shows a fourth clip instead of a row for one more', () => {
    expect(listRowKeys(4, { e0: false })).toEqual(['e0', 'clipe0', 'clipe1', 'clipe2', 'clipe3', 's'])
  })

  test('stands for all its clips, and its last row for those without a row', () => {
    const [day] = layOut(5, { e0: false })
    expect(day?.rows.map(listClipIds)).toEqual([
      ['e0', 'e1', 'e2', 'e3', 'e4'],
      ['e0'],
      ['e1'],
      ['e2'],
      ['e3', 'e4'],
      ['s'],
    ])
  })

  test('is found if it hides an event', () => {
    const findHiding = (id: string, ...input: Parameters<typeof layOut>) => findVisitHiding(layOut(...input), id)?.begin
    expect([findHiding('e0', 9), findHiding('s', 9), findHiding('other', 9)]).toEqual([undefined, undefined, undefined])
    expect(findHiding('e5', 9)).toBe(NOON)
    expect(findHiding('e5', 9, { e0: false })).toBe(NOON)
    expect(findHiding('e3', 9, { e0: false })).toBe(NOON)
    expect(findHiding('e2', 9, { e0: false })).toBeUndefined()
    expect(findHiding('e5', 9, { e0: true })).toBeUndefined()
  })
})

test('rows are found by position, and positions by row', () => {
  const blocks = layOut(9, { e0: false })
  expect([findEventTop(blocks, 'e0'), findEventTop(blocks, 'e1'), findEventTop(blocks, 's')]).toEqual([
    44,
    44 + 88 + 52,
    44 + 88 + 3 * 52 + 48,
  ])
  expect(findEventTop(blocks, 'other')).toBeNull()
  expect(findVisibleDays(blocks, 0, getTotalHeight(blocks))).toMatchObject([{ from: 0, to: 6 }])
  expect(findVisibleDays(blocks, 44 + 88, 44 + 88 + 60)).toMatchObject([{ from: 1, to: 3 }])
})

describe('a list of several days', () => {
  const DAY_MS = 86_400_000
  /** Returns the events of three days; each day has a visit of three clips. */
  const createDays = () =>
    groupByDay(
      [0, 1, 2].flatMap((day) =>
        createEvents(3).map((event) => ({
          ...event,
          event_id: `d${day}${event.event_id}`,
          event_ts: event.event_ts - day * DAY_MS,
        })),
      ),
    )

  test('builds only the rows of the visible days', () => {
    const readDays = new Set<string>()
    const days = createDays().map((day) => ({
      ...day,
      events: day.events.map((event) =>
        Object.defineProperty({ ...event }, 'title', { get: () => (readDays.add(day.day), 'Motion') }),
      ),
    }))
    const blocks = layOutEventDays(days, VISIT_GAP_MS, new Map())
    expect(getTotalHeight(blocks)).toBe(3 * (44 + 2 * 88 + 8))
    findVisibleDays(blocks, 0, 200).forEach(({ block }) => expect(block.rows).toHaveLength(2))
    expect([...readDays]).toEqual([days[0]?.day])
  })

  test('keeps the rows of the days that have not changed', () => {
    const layOutAgain = createListLayout()
    const opened = new Map()
    const days = createDays()
    const before = layOutAgain(days, VISIT_GAP_MS, opened).map(({ rows }) => rows)
    const changedEvents = days[1]?.events.map((event) => ({ ...event, reviewed: false })) ?? []
    // Another load or mark creates new lists, but keeps the objects of the events that have not changed.
    const events = days.flatMap((day, i) => (i === 1 ? changedEvents : [...day.events]))
    const after = layOutAgain(groupByDay(events), VISIT_GAP_MS, opened).map(({ rows }) => rows)
    expect(after.map((rows, i) => rows === before[i])).toEqual([true, false, true])
    expect(after[1]?.[0]?.event.reviewed).toBe(false)
  })

  test('keeps the rows of a day while a filter hides it or some of its events', () => {
    const layOutAgain = createListLayout()
    const opened = new Map()
    const days = createDays()
    const listRows = (filteredDays: typeof days) =>
      layOutAgain(filteredDays, VISIT_GAP_MS, opened).map(({ rows }) => rows)
    const before = listRows(days)
    const filtered = listRows(days.slice(1).map((day) => ({ ...day, events: day.events.slice(1) })))
    expect(filtered[0]).not.toBe(before[1])
    const after = listRows(groupByDay(days.flatMap(({ events }) => events)))
    expect(after.map((rows, i) => rows === before[i])).toEqual([true, true, true])
  })
})
