import { describe, expect, test } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import { FOLD_GAP_MS, groupSimilarEvents, foldsOver } from '../../../../src/domain/events/event-groups.ts'
import { MINUTE_MS } from '../../../../contract/time-units.ts'

const NONE: ReadonlySet<string> = new Set()

/** Builds events that are one minute apart, newest first. Each argument is a camera id and a title. */
const events = (...texts: [string, string][]): Event[] =>
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
const same = (count: number) => events(...Array.from({ length: count }, () => ['cam', 'Motion'] as [string, string]))
const formatRows = (list: readonly Event[], opened = NONE) =>
  groupSimilarEvents(list, opened).map(({ event, fold }) => `${event.event_id}${fold ? `+${fold.ids.length}` : ''}`)

describe('similar events', () => {
  test('are one row from three events on, represented by the newest', () => {
    expect(formatRows(same(2))).toEqual(['e0', 'e1'])
    expect(formatRows(same(3))).toEqual(['e0+2'])
    expect(formatRows(same(12))).toEqual(['e0+11'])
    expect(formatRows([])).toEqual([])
  })

  test('share camera, title and kind, are adjacent and close in time', () => {
    const four = same(4)
    const changed = (change: Partial<Event>) => four.map((event, i) => (i === 2 ? { ...event, ...change } : event))
    for (const change of [{ device_id: 'other' }, { title: 'Person' }, { event_values: ['motion', 'Ada'] }])
      expect(formatRows(changed(change))).toEqual(['e0', 'e1', 'e2', 'e3'])
    const apart = four.map((event, i) => (i > 2 ? { ...event, event_ts: event.event_ts - FOLD_GAP_MS } : event))
    expect(formatRows(apart)).toEqual(['e0+2', 'e3'])
  })

  test('show in their places once the group is expanded, whatever precedes or follows', () => {
    const five = same(5)
    expect(formatRows(five.slice(1, 4), new Set(['e2', 'e3']))).toEqual(['e1+2', 'e2', 'e3'])
    expect(formatRows(five, new Set(['e2', 'e3']))).toEqual(['e0+4', 'e1', 'e2', 'e3', 'e4'])
  })

  test('stay collapsed when the representative event is opened', () => {
    expect(formatRows(same(4), new Set(['e0']))).toEqual(['e0+3'])
  })

  test('indicate an unseen event among the hidden ones', () => {
    const list = same(3).map((event, i) => ({ ...event, reviewed: i !== 2 }))
    expect(groupSimilarEvents(list, NONE)[0]?.fold).toEqual({ ids: ['e1', 'e2'], isOpen: false, hasUnseen: true })
  })
})

test('collapsed groups that hide a selected or open event are found', () => {
  const list = [...same(4), ...events(['door', 'Bell'])]
  expect(foldsOver(groupSimilarEvents(list, NONE), new Set(['e3'])).map(({ ids }) => ids)).toEqual([['e1', 'e2', 'e3']])
  expect(foldsOver(groupSimilarEvents(list, NONE), new Set(['e0']))).toEqual([])
  expect(foldsOver(groupSimilarEvents(list, new Set(['e1'])), new Set(['e3']))).toEqual([])
})
