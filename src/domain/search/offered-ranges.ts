import dayjs from 'dayjs'
import { DEFAULT_HOURS } from '../../../contract/events/date-ranges.ts'
import { toDateRange, type Span, toSpan } from '../time/date-range.ts'
import { toDay } from '../time/local-time.ts'
import type { EventFilter } from '../events/event-filter.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

type Range = EventFilter['range']

export interface OfferedRange {
  readonly days: number
  readonly range: Range
}

const DEFAULT_RANGE_DAYS = 14
const MAX_RANGE_DAYS = 60

const rangeToSpan = (range: Range, now: number): Span =>
  toSpan(typeof range === 'object' ? range : toDateRange(range, now))

/**
 * Returns the last 14 days and, if the retention period is longer, also the days of the retention period, at most 60.
 * `keptSince`: start of the retention period, ms UTC; null if unknown.
 */
export function listOfferedRanges(keptSince: number | null, now: number): OfferedRange[] {
  const defaultRange = { days: DEFAULT_RANGE_DAYS, range: DEFAULT_RANGE_DAYS } as const
  const retentionDays = keptSince === null ? 0 : Math.round((now - keptSince) / DAY_MS)
  if (retentionDays <= DEFAULT_RANGE_DAYS) return [defaultRange]
  if (retentionDays >= MAX_RANGE_DAYS) return [defaultRange, { days: MAX_RANGE_DAYS, range: MAX_RANGE_DAYS }]
  const start = toDay(
    dayjs(now)
      .subtract(retentionDays - 1, 'day')
      .valueOf(),
  )
  return [defaultRange, { days: retentionDays, range: { start, end: toDay(now), hours: DEFAULT_HOURS } }]
}

/**
 * Returns true if `range` equals the offered range or contains it. For the offered 14 days, only an equal range returns
 * true.
 */
export function includesOfferedRange(range: Range, offered: OfferedRange, now: number): boolean {
  if (range === offered.range) return true
  if (offered.days === DEFAULT_RANGE_DAYS) return false
  const [chosen, all] = [rangeToSpan(range, now), rangeToSpan(offered.range, now)]
  return chosen.begin <= all.begin && chosen.end >= all.end
}

/** Returns the first offered range that begins before the chosen range or ends after it; null if there is none. */
export function findWiderRange(range: Range, keptSince: number, now: number): OfferedRange | null {
  const chosen = rangeToSpan(range, now)
  const extendsFurther = (other: Range) => {
    const { begin, end } = rangeToSpan(other, now)
    return begin < chosen.begin || end > chosen.end
  }
  return listOfferedRanges(keptSince, now).find((offered) => extendsFurther(offered.range)) ?? null
}
