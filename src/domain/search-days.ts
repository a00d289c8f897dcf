import dayjs from 'dayjs'
import { DEFAULT_HOURS } from '../../contract/ranges.ts'
import type { DateRange, Hours } from './date-range.ts'
import { dayOf } from './local-time.ts'

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const PARTS: Readonly<Record<string, Hours>> = { morning: [5, 12], afternoon: [12, 18], evening: [17, 23] }

const NAMED_DAY = new RegExp(
  `\\b(?:(today|yesterday|${WEEKDAYS.join('|')})(?: (${Object.keys(PARTS).join('|')}))?|this (${Object.keys(PARTS).join('|')}))\\b`,
  'i',
)

/**
 * The day that a question names in words ("yesterday", "this morning", "on Monday afternoon"), in the browser's zone at `now`
 * (ms UTC); null when it names none. A weekday means the last one before today.
 */
export function dayNamedIn(query: string, now: number): DateRange | null {
  const [, name, ofDay, ofToday] = NAMED_DAY.exec(query) ?? []
  const part = ofDay ?? ofToday
  if (name === undefined && part === undefined) return null
  const start = dayOf(dayjs(now).subtract(daysAgo(name?.toLowerCase(), now), 'day').valueOf())
  return { start, end: start, hours: PARTS[part?.toLowerCase() ?? ''] ?? DEFAULT_HOURS }
}

function daysAgo(name: string | undefined, now: number): number {
  if (name === 'yesterday') return 1
  const weekday = WEEKDAYS.indexOf(name ?? '')
  return weekday < 0 ? 0 : ((dayjs(now).day() - weekday + 6) % 7) + 1
}
