import { expect, test } from 'vitest'
import type { Event } from '../../contract/events.ts'
import { eventsOfHour, hourOf, hourSpanLabel } from '../../src/domain/clip-hour.ts'

const at = (hour: number, minute: number) => new Date(2026, 10, 20, hour, minute).getTime()
const event = (event_id: string, event_ts: number, device_id = 'cam'): Event => ({
  event_id,
  device_id,
  event_ts,
  tags: [],
  event_values: [],
  title: 'Motion',
  event_resources: [],
  reviewed: true,
})

test('an hour goes by the clock', () => {
  expect(hourOf(at(14, 59))).toEqual({ begin: at(14, 0), end: at(15, 0) })
  expect(hourSpanLabel(hourOf(at(23, 5)))).toBe('23:00 – 00:00')
})

test('what one camera saw in the hour of an event, oldest first, and the event itself where the list does not hold it', () => {
  const open = event('open', at(14, 20))
  const list = [
    event('late', at(14, 50)),
    event('next', at(15, 0)),
    event('other', at(14, 30), 'door'),
    event('early', at(14, 0)),
  ]
  expect(eventsOfHour(open, list).map(({ event_id }) => event_id)).toEqual(['early', 'open', 'late'])
  expect(eventsOfHour(open, [...list, { ...open, reviewed: false }])).toContain(open)
})
