import { describe, expect, test } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import {
  groupClipsByCamera,
  findAdjacentSharedSpans,
  findSharedSpans,
  getStripSpan,
  getQuerySpan,
  listTimedClips,
} from '../../../../src/domain/events/synced-playback.ts'
import { formatEventsQuery, parseEventsQuery } from '../../../../src/domain/events/event-url.ts'
import { formatFrameTime } from '../../../../src/domain/time/date-formats.ts'

const MOMENT = Date.UTC(2026, 10, 22, 9, 41)

const event = (id: string, camera: string, from: number, to: number): Event => ({
  event_id: id,
  device_id: camera,
  event_ts: MOMENT + from * 1000,
  tags: [],
  event_values: [],
  title: id,
  event_resources:
    to > from
      ? [{ begin_time: MOMENT + from * 1000, end_time: MOMENT + to * 1000, resource_version: 1, resource_type: 's3' }]
      : [],
  reviewed: false,
})

describe('clips around a moment', () => {
  const events = [
    event('cat', 'DOOR', -5, 15),
    event('van', 'STREET', -70, -61),
    event('courier', 'DRIVE', -2, 30),
    event('dog', 'YARD', 40, 55),
    event('dog-2', 'YARD', 57, 80),
    event('later', 'GARAGE', 61, 80),
    event('no clip', 'LIVING', 0, 0),
  ]
  const groupClips = (opened: string) =>
    groupClipsByCamera(events, getStripSpan(MOMENT), {
      at: MOMENT,
      opened,
      order: ['STREET', 'DRIVE', 'DOOR', 'YARD', 'GARAGE'],
    })

  test('include every clip that overlaps the minute before or after, grouped by camera', () => {
    expect(groupClips('').map(({ deviceId, clips }) => [deviceId, clips.map(({ event }) => event.event_id)])).toEqual([
      ['DRIVE', ['courier']],
      ['DOOR', ['cat']],
      ['YARD', ['dog', 'dog-2']],
    ])
  })

  test('start with the opened clip’s camera, then the cameras that recorded the moment', () => {
    expect(groupClips('dog').map(({ deviceId }) => deviceId)).toEqual(['YARD', 'DRIVE', 'DOOR'])
    expect(groupClips('cat').map(({ deviceId }) => deviceId)).toEqual(['DOOR', 'DRIVE', 'YARD'])
  })

  test('are requested from early enough to include clips that reach into the span', () => {
    const { begin, end } = getQuerySpan(getStripSpan(MOMENT))
    expect([begin < MOMENT - 150_000, end > MOMENT + 60_000]).toEqual([true, true])
  })

  test('show the spans that more than one camera recorded, regardless of single-camera recordings', () => {
    const clips = listTimedClips([
      event('a', 'ONE', 0, 20),
      event('b', 'ONE', 10, 30),
      event('c', 'TWO', 25, 40),
      event('d', 'THREE', 35, 50),
      event('e', 'TWO', 100, 120),
      event('f', 'ONE', 110, 115),
    ])
    const spans = findSharedSpans(clips).map(({ begin, end }) => [(begin - MOMENT) / 1000, (end - MOMENT) / 1000])
    expect(spans).toEqual([
      [25, 30],
      [35, 40],
      [110, 115],
    ])
    const findNeighborSpans = (second: number) =>
      findAdjacentSharedSpans(findSharedSpans(clips), MOMENT + second * 1000)
    expect(findNeighborSpans(37)).toMatchObject({
      earlier: { begin: MOMENT + 25_000 },
      later: { begin: MOMENT + 110_000 },
    })
    expect(findNeighborSpans(0)).toMatchObject({ earlier: null, later: { begin: MOMENT + 25_000 } })
    expect(findNeighborSpans(115).later).toBeNull()
  })
})

describe('URL of a moment', () => {
  test('names the moment alone or together with the clip it was picked from', () => {
    for (const query of [
      `?at=${MOMENT}`,
      `?event=e-1&camera=CAM1&at=${MOMENT}`,
      `?days=60&event=e-1&t=3.5&at=${MOMENT}`,
    ]) {
      const pageState = parseEventsQuery(query)
      expect(pageState.moment).toBe(MOMENT)
      expect(formatEventsQuery(pageState)).toBe(query)
    }
  })

  test('ignores an invalid moment and allows no search beside a moment', () => {
    for (const query of ['?at=', '?at=soon', '?at=12', '?at=-1763804460000', '?at=1e12'])
      expect(parseEventsQuery(query)).not.toHaveProperty('moment')
    expect(parseEventsQuery(`?at=${MOMENT}&search=fox`)).not.toHaveProperty('search')
  })
})

describe('frame clock', () => {
  test('shows hundredths of a second', () => {
    expect(formatFrameTime(new Date(2026, 10, 22, 9, 41, 14, 208).getTime())).toBe('09:41:14.20')
    expect(formatFrameTime(new Date(2026, 10, 22, 9, 41, 14).getTime())).toBe('09:41:14.00')
  })
})
