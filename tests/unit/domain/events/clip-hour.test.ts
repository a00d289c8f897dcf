import { expect, test, vi } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import { listEventsOfHour, clockHourSpan, formatClipHour } from '../../../../src/domain/events/clip-hour.ts'

const localTime = (hour: number, minute: number) => new Date(2026, 10, 20, hour, minute).getTime()
const createEvent = (event_id: string, event_ts: number, device_id = 'cam'): Event => ({
  event_id,
  device_id,
  event_ts,
  tags: [],
  event_values: [],
  title: 'Motion',
  event_resources: [],
  reviewed: true,
})

test('an hour starts and ends by the clock', () => {
  expect(clockHourSpan(localTime(14, 59))).toEqual({ begin: localTime(14, 0), end: localTime(15, 0) })
  expect(formatClipHour(clockHourSpan(localTime(23, 5)))).toBe('23:00 – 00:00')
})

test('an hour that the clock repeats counts as two hours', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const [first, second] = [Date.UTC(2026, 9, 25, 0), Date.UTC(2026, 9, 25, 1)]
  expect([first, second].map((time) => formatClipHour({ begin: time, end: time }))).toEqual(
    Array(2).fill('02:00 – 02:00'),
  )
  expect(clockHourSpan(first + 59 * 60_000)).toEqual({ begin: first, end: second })
  expect(clockHourSpan(second + 30 * 60_000)).toEqual({ begin: second, end: second + 3_600_000 })
  vi.unstubAllEnvs()
})

test('the hour of an event lists one camera, oldest first, including an event missing from the list', () => {
  const open = createEvent('open', localTime(14, 20))
  const list = [
    createEvent('late', localTime(14, 50)),
    createEvent('next', localTime(15, 0)),
    createEvent('other', localTime(14, 30), 'door'),
    createEvent('early', localTime(14, 0)),
  ]
  expect(listEventsOfHour(open, list).map(({ event_id }) => event_id)).toEqual(['early', 'open', 'late'])
  expect(listEventsOfHour(open, [...list, { ...open, reviewed: false }])).toContain(open)
})
