import dayjs from 'dayjs'
import { DEFAULT_HOURS } from '../../../contract/events/date-ranges.ts'
import { quickRange, type Span, toSpan } from '../time/date-range.ts'
import { toDay } from '../time/local-time.ts'
import type { EventFilter } from '../events/event-filter.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

type Range = EventFilter['range']

export interface OfferedDays {
  readonly days: number
  readonly range: Range
}

const USUAL = 14
const MOST = 60

const spanAt = (range: Range, now: number): Span => toSpan(typeof range === 'object' ? range : quickRange(range, now))

/** Returns the last 14 days, and the retention period since `keptSince` (ms UTC) if it is longer; null: unknown. */
export function offeredDays(keptSince: number | null, now: number): OfferedDays[] {
  const usual = { days: USUAL, range: USUAL } as const
  const retentionDays = keptSince === null ? 0 : Math.round((now - keptSince) / DAY_MS)
  if (retentionDays <= USUAL) return [usual]
  if (retentionDays >= MOST) return [usual, { days: MOST, range: MOST }]
  const start = toDay(
    dayjs(now)
      .subtract(retentionDays - 1, 'day')
      .valueOf(),
  )
  return [usual, { days: retentionDays, range: { start, end: toDay(now), hours: DEFAULT_HOURS } }]
}

/** Returns true if a range equals or contains the offered one. A range of 60 days contains all retained events. */
export function isOffered(range: Range, offered: OfferedDays, now: number): boolean {
  if (range === offered.range) return true
  if (offered.days === USUAL) return false
  const [chosen, all] = [spanAt(range, now), spanAt(offered.range, now)]
  return chosen.begin <= all.begin && chosen.end >= all.end
}

/** Returns the first offered range that extends beyond the chosen one; null if there is none. */
export function widerDays(range: Range, keptSince: number, now: number): OfferedDays | null {
  const chosen = spanAt(range, now)
  const reaches = (other: Range) => {
    const { begin, end } = spanAt(other, now)
    return begin < chosen.begin || end > chosen.end
  }
  return offeredDays(keptSince, now).find((offered) => reaches(offered.range)) ?? null
}
