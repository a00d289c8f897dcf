import dayjs from 'dayjs'
import { DEFAULT_HOURS } from '../../../contract/events/date-ranges.ts'
import { quickRange, type Span, toSpan } from '../time/date-range.ts'
import { toDay } from '../time/local-time.ts'
import type { EventFilter } from '../events/event-filter.ts'

type Range = EventFilter['range']

/** Days that a search offers at one press. */
export interface OfferedDays {
  readonly days: number
  readonly range: Range
}

const DAY_MS = 86_400_000
const USUAL = 14
const MOST = 60

const spanAt = (range: Range, now: number): Span => toSpan(typeof range === 'object' ? range : quickRange(range, now))

/** The last 14 days, and all that is kept since `keptSince` (ms UTC) where that is more; null: not known yet. */
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

/** Whether a range is what was offered; 60 days are all that is kept. */
export function isOffered(range: Range, offered: OfferedDays, now: number): boolean {
  if (range === offered.range) return true
  if (offered.days === USUAL) return false
  const [chosen, all] = [spanAt(range, now), spanAt(offered.range, now)]
  return chosen.begin <= all.begin && chosen.end >= all.end
}

/** The first of what is offered that reaches beyond the range; null when it is all that there is. */
export function widerDays(range: Range, keptSince: number, now: number): OfferedDays | null {
  const chosen = spanAt(range, now)
  const reaches = (other: Range) => {
    const { begin, end } = spanAt(other, now)
    return begin < chosen.begin || end > chosen.end
  }
  return offeredDays(keptSince, now).find((offered) => reaches(offered.range)) ?? null
}
