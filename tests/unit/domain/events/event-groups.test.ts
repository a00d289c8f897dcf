import { describe, expect, test } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import { GROUP_MAX_GAP_MS, groupSimilarEvents, findGroupsHiding } from '../../../../src/domain/events/event-groups.ts'
import { MINUTE_MS } from '../../../../contract/time-units.ts'

const NO_EXPANDED_IDS: ReadonlySet<string> = new Set()

const createEvents = (...texts: [string, string][]): Event[] =>
  texts.map(([device_id, title], i) => ({
    event_id: `e${i}`,
    device_id,
    event_ts: 1_790_000_000_000 - i * MINUTE_MS,
    tags: ['4'],
    event_values: ['motion'],
    title,
    event_resources: [],
    reviewed: true,
  }))
const createSimilarEvents = (count: number) =>
  createEvents(...Array.from({ length: count }, () => ['cam', 'Motion'] as [string, string]))
const formatRows = (list: readonly Event[], opened = NO_EXPANDED_IDS) =>
  groupSimilarEvents(list, opened).map(({ event, group }) => `${event.event_id}${group ? `+${group.ids.length}` : ''}`)

describe('similar events', () => {
  test('are one row from three events on, represented by the newest', () => {
    expect(formatRows(createSimilarEvents(2))).toEqual(['e0', 'e1'])
    expect(formatRows(createSimilarEvents(3))).toEqual(['e0+2'])
    expect(formatRows(createSimilarEvents(12))).toEqual(['e0+11'])
    expect(formatRows([])).toEqual([])
  })

  test('share camera, title and kind, are adjacent and close in time', () => {
    const four = createSimilarEvents(4)
    const changeThirdEvent = (change: Partial<Event>) =>
      four.map((event, i) => (i === 2 ? { ...event, ...change } : event))
    for (const change of [{ device_id: 'other' }, { title: 'Person' }, { event_values: ['motion', 'Ada'] }])
      expect(formatRows(changeThirdEvent(change))).toEqual(['e0', 'e1', 'e2', 'e3'])
    const apart = four.map((event, i) => (i > 2 ? { ...event, event_ts: event.event_ts - GROUP_MAX_GAP_MS } : event))
    expect(formatRows(apart)).toEqual(['e0+2', 'e3'])
  })

  test('show in their places once the group is expanded, whatever precedes or follows', () => {
    const five = createSimilarEvents(5)
    expect(formatRows(five.slice(1, 4), new Set(['e2', 'e3']))).toEqual(['e1+2', 'e2', 'e3'])
    expect(formatRows(five, new Set(['e2', 'e3']))).toEqual(['e0+4', 'e1', 'e2', 'e3', 'e4'])
  })

  test('stay collapsed when the representative event is opened', () => {
    expect(formatRows(createSimilarEvents(4), new Set(['e0']))).toEqual(['e0+3'])
  })

  test('indicate an unseen event among the hidden ones', () => {
    const list = createSimilarEvents(3).map((event, i) => ({ ...event, reviewed: i !== 2 }))
    expect(groupSimilarEvents(list, NO_EXPANDED_IDS)[0]?.group).toEqual({
      ids: ['e1', 'e2'],
      isOpen: false,
      hasUnseen: true,
    })
  })
})

test('collapsed groups that hide a selected or open event are found', () => {
  const list = [...createSimilarEvents(4), ...createEvents(['door', 'Bell'])]
  expect(findGroupsHiding(groupSimilarEvents(list, NO_EXPANDED_IDS), new Set(['e3'])).map(({ ids }) => ids)).toEqual([
    ['e1', 'e2', 'e3'],
  ])
  expect(findGroupsHiding(groupSimilarEvents(list, NO_EXPANDED_IDS), new Set(['e0']))).toEqual([])
  expect(findGroupsHiding(groupSimilarEvents(list, new Set(['e1'])), new Set(['e3']))).toEqual([])
})
