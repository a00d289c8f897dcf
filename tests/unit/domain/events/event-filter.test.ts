import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import { DEFAULT_FILTER } from '../../../../src/domain/events/event-url.ts'
import {
  hasActiveFilter,
  listPeopleOfEvents,
  passesFilter,
  listPeople,
  listTagsOfKind,
} from '../../../../src/domain/events/event-filter.ts'
import { getFeedbackTier } from '../../../../src/domain/events/feedback-tier.ts'
import { chunkList } from '../../../../src/domain/chunk-list.ts'

const createEvent = (more: Partial<Event> = {}): Event => ({
  event_id: 'e1',
  device_id: 'CAM1',
  event_ts: 1_790_000_000_000,
  tags: ['101'],
  event_values: ['motion', 'person'],
  title: 'Person',
  event_resources: [],
  reviewed: false,
  ...more,
})

describe('event filter', () => {
  test('passes every event while nothing is selected', () => {
    expect(hasActiveFilter(DEFAULT_FILTER)).toBe(false)
    expect(passesFilter(createEvent(), DEFAULT_FILTER)).toBe(true)
  })

  test.each([
    [{ cameras: ['CAM2'] }, false],
    [{ kinds: ['motion' as const] }, true],
    [{ kinds: ['sound' as const] }, false],
    [{ tags: ['800002' as const] }, false],
    [{ kinds: ['sound' as const], tags: ['101' as const] }, true],
    [{ people: ['Maya'] }, false],
    [{ seen: true }, false],
    [{ seen: false }, true],
  ])('%j', (choice, expected) => {
    const filter = { ...DEFAULT_FILTER, ...choice }
    expect(hasActiveFilter(filter)).toBe(true)
    expect(passesFilter(createEvent(), filter)).toBe(expected)
  })

  test('recognizes people by values that are not tag words, only in events with a face', () => {
    const named = createEvent({ tags: ['101', '12'], event_values: ['person', 'face', 'Maya', 'Barking'] })
    expect(listPeople(named)).toEqual(['Maya'])
    expect(listPeople(createEvent({ event_values: ['person', 'Maya'] }))).toEqual([])
    expect(listPeopleOfEvents([named, createEvent({ tags: ['12'], event_values: ['Zoë', 'Ann', 'Maya'] })])).toEqual([
      'Ann',
      'Maya',
      'Zoë',
    ])
    expect(passesFilter(named, { ...DEFAULT_FILTER, people: ['Maya'] })).toBe(true)
  })

  test('TAG-07 offers the sound tags in their order', () => {
    const names = listTagsOfKind('sound').map(({ name }) => name)
    expect(names).toEqual(['Meowing', 'Barking', 'Crying', 'Talking', 'Gun Shot', 'Glass Breaking', 'Sound Alarm'])
  })
})

describe('feedback video tier', () => {
  test('FEEDBACK-05 is 1 for the camera AI plan', () => expect(getFeedbackTier(['free', 'cam-ai'])).toBe(1))
  test('FEEDBACK-06 is 1 for the unlimited plan', () => expect(getFeedbackTier(['unlimited'])).toBe(1))
  test('FEEDBACK-07 is 3 for the pro plan, even alongside other plans', () =>
    expect(getFeedbackTier(['pro', 'cam-ai'])).toBe(3))
  test('is 0 for plans that are not in the table', () => expect(getFeedbackTier(['free', 'hms'])).toBe(0))
})

describe('list chunks', () => {
  test('contain all items in order and never exceed the given size', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 20 }), (list, size) => {
        const parts = chunkList(list, size)
        expect(parts.flat()).toEqual(list)
        expect(parts.every((part) => part.length > 0 && part.length <= size)).toBe(true)
      }),
    )
  })
})
