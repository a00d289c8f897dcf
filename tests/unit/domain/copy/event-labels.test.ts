import { describe, expect, test } from 'vitest'
import { safeParse } from 'valibot'
import { exportClips } from '../../../../contract/events/timeline.ts'
import {
  dayLabel,
  durationLabel,
  rangeLabel,
  timeLabel,
  eventTimeLabel,
} from '../../../../src/domain/time/date-formats.ts'
import {
  countEventsByDayAndHour,
  countEventsByHour,
  countTodayEvents,
  findBusiestHour,
  heatLevel,
} from '../../../../src/domain/events/event-statistics.ts'
import { eventCountLabel, eventName } from '../../../../src/domain/copy/event-labels.ts'
import { toDay } from '../../../../src/domain/time/local-time.ts'
import { clipFileName, snapshotFileName } from '../../../../src/domain/events/download-file-names.ts'

const localTime = (day: number, hour: number, minute = 0, second = 0) =>
  new Date(2026, 10, day, hour, minute, second).getTime()
const NOW = localTime(20, 12)

describe('event labels', () => {
  test('show durations as minutes and seconds, with hours only if there are any', () => {
    expect([0, 499, 500, 18_000, 725_000, 3_600_000].map(durationLabel)).toEqual([
      '0:00',
      '0:00',
      '0:01',
      '0:18',
      '12:05',
      '1:00:00',
    ])
  })

  test('call the last two days Today and Yesterday, and others by their weekday', () => {
    expect(dayLabel('2026-11-20', NOW)).toEqual({ name: 'Today', date: 'Friday 20 November' })
    expect(dayLabel('2026-11-19', NOW)).toEqual({ name: 'Yesterday', date: 'Thursday 19 November' })
    expect(dayLabel('2026-11-17', NOW)).toEqual({ name: 'Tuesday', date: '17 November' })
    expect(dayLabel('2025-12-31', NOW)).toEqual({ name: 'Wednesday', date: '31 December 2025' })
  })

  test('show when an event happened, with an end time if there is a recording', () => {
    expect(timeLabel(localTime(20, 9, 41, 7))).toBe('09:41:07')
    expect(eventTimeLabel(localTime(20, 9, 41, 7), localTime(20, 9, 41, 25), NOW)).toBe('today 09:41:07 – 09:41:25')
    expect(eventTimeLabel(localTime(17, 21, 5), null, NOW)).toBe('Tuesday 17 November 21:05:00')
  })

  test('shorten a range within one month', () => {
    expect([
      rangeLabel('2026-11-07', '2026-11-20'),
      rangeLabel('2026-10-28', '2026-11-20'),
      rangeLabel('2026-11-20', '2026-11-20'),
    ]).toEqual(['7 – 20 November', '28 October – 20 November', '20 November'])
  })

  test('use singular for one event and plural for many', () => {
    expect([eventCountLabel(1), eventCountLabel(0), eventCountLabel(10_000)]).toEqual([
      '1 event',
      '0 events',
      '10,000 events',
    ])
  })

  test('name a file after camera and time, without characters that a file system rejects', () => {
    const event = { event_ts: localTime(20, 9, 41, 7) }
    expect([clipFileName(event, 'Driveway'), clipFileName(event, '../a:b\\c'), clipFileName(event, '')]).toEqual([
      'Driveway 2026-11-20 09.41.07.mp4',
      'a b c 2026-11-20 09.41.07.mp4',
      'Camera 2026-11-20 09.41.07.mp4',
    ])
    expect(snapshotFileName('Front door', event.event_ts)).toBe('Front door 2026-11-20 09.41.07.jpg')
  })

  test('name a file so that an archive accepts it, whatever the camera name', () => {
    for (const camera of ['.hidden', 'x'.repeat(300), '🐕'.repeat(100), ' . ']) {
      const file = { event_id: 'e', name: clipFileName({ event_ts: localTime(20, 9, 41, 7) }, camera) }
      expect(safeParse(exportClips.request, { files: [file] }).success).toBe(true)
    }
  })

  test('tell a screen reader what, where and when, and omit a missing camera name', () => {
    const event = { title: 'Person with a box', event_ts: localTime(20, 9, 41, 7) }
    expect([eventName(event, 'Driveway'), eventName(event, '')]).toEqual([
      'Person with a box, Driveway, 09:41',
      'Person with a box, 09:41',
    ])
  })

  test('tell a screen reader how long a visit lasted and how many clips it has', () => {
    const begin = localTime(20, 9, 41, 7)
    const event = { title: 'Person and vehicle', event_ts: begin }
    const clip = {
      ...event,
      event_id: 'e',
      device_id: 'd',
      tags: [],
      event_values: [],
      event_resources: [],
      reviewed: true,
    }
    const visit = { clips: [clip, clip], begin, end: localTime(20, 9, 43) }
    expect(eventName(event, 'Street', visit)).toBe('Person and vehicle, Street, 09:41 – 09:43, 2 clips')
  })
})

describe('event statistics', () => {
  const event = (device_id: string, event_ts: number, reviewed = false) => ({
    event_id: `${device_id}-${event_ts}`,
    device_id,
    event_ts,
    reviewed,
    tags: [],
    event_values: [],
    title: '',
    event_resources: [],
  })

  test('count by camera and hour and find the busiest', () => {
    const busy = countEventsByHour(
      [event('A', localTime(20, 7)), event('A', localTime(19, 7, 30)), event('B', localTime(20, 7))],
      ['B', 'A', 'C'],
    )
    expect(busy.rows.map((row) => [row.id, row.hours[7], row.total])).toEqual([
      ['B', 1, 1],
      ['A', 2, 2],
      ['C', 0, 0],
    ])
    expect(busy.busiest).toEqual({ id: 'A', hour: 7, count: 2 })
  })

  test('count by day and hour and find the busiest hour of the day', () => {
    const list = [
      event('A', localTime(20, 7)),
      event('A', localTime(20, 8)),
      event('A', localTime(19, 7, 30)),
      event('A', localTime(19, 7, 40)),
      event('A', localTime(18, 7)),
    ]
    const days = [toDay(localTime(19, 0)), toDay(localTime(20, 0))]
    const counts = countEventsByDayAndHour(list, days)
    expect(counts.rows.map((row) => [row.id, row.hours[7], row.total])).toEqual([
      [days[0], 2, 2],
      [days[1], 1, 2],
    ])
    expect(findBusiestHour(counts)).toEqual({ hour: 7, average: 1.5 })
    expect(findBusiestHour(countEventsByDayAndHour([], days))).toBeNull()
  })

  test('have no busiest hour when nothing happened', () => {
    expect(countEventsByHour([], ['A'])).toMatchObject({ busiest: null, max: 0 })
  })

  test('shade from none to the busiest in four steps', () => {
    expect([heatLevel(0, 8), heatLevel(1, 8), heatLevel(4, 8), heatLevel(8, 8), heatLevel(0, 0)]).toEqual([
      0, 1, 2, 4, 0,
    ])
  })

  test('count events of today and unreviewed events', () => {
    const list = [event('A', localTime(20, 9)), event('A', localTime(20, 8), true), event('B', localTime(19, 23, 59))]
    expect(countTodayEvents(list, NOW)).toEqual({ today: 2, todayUnseen: 1, unseen: 2 })
  })
})
