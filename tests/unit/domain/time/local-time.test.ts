import dayjs from 'dayjs'
import { afterEach, expect, test, vi } from 'vitest'
import {
  addDays,
  toDay,
  endOfDay,
  formatTime,
  isSameDay,
  isSameMonth,
  isSameYear,
  startOfDay,
  parseDay,
} from '../../../../src/domain/time/local-time.ts'
import { HOUR_MS } from '../../../../contract/time-units.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

/** Every seventh hour of more than two years, so that the test covers clock changes. */
const TIMES = Array.from({ length: 2800 }, (_, index) => Date.UTC(2025, 0, 1, 0, 13, 59, 7) + index * 7 * HOUR_MS)

// Beirut and Santiago change their clocks at midnight, and Lord Howe changes them by half an hour. Apia has the
// largest UTC offset of these zones.
test.each([
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Beirut',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Pacific/Apia',
])('local times in %s match those of a date library', (zone) => {
  vi.stubEnv('TZ', zone)
  const pattern = 'DD MM YYYY HH:mm:ss – HH.mm'
  for (const time of TIMES) {
    const other = dayjs(time)
    expect(formatTime(time, pattern)).toBe(other.format(pattern))
    expect(startOfDay(time)).toBe(other.startOf('day').valueOf())
    expect(endOfDay(time) + 1).toBe(other.add(1, 'day').startOf('day').valueOf())
    for (const days of [-60, -1, 1, 13]) expect(addDays(time, days)).toBe(other.add(days, 'day').valueOf())
    const day = toDay(time)
    expect(parseDay(day)).toBe(dayjs(day).valueOf())
    const later = addDays(time, 5)
    const isSame = (instant: number, unit: string) => dayjs(instant).format(unit) === other.format(unit)
    expect(isSameDay(time, time + 9 * HOUR_MS)).toBe(isSame(time + 9 * HOUR_MS, 'YYYY-MM-DD'))
    expect(isSameMonth(time, later)).toBe(isSame(later, 'YYYY-MM'))
    expect(isSameYear(time, later)).toBe(isSame(later, 'YYYY'))
  }
})

test('a text that is not a day has no time', () => {
  for (const text of ['', 'today', '2026-11']) expect(parseDay(text)).toBeNaN()
})
