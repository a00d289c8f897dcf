import { formatDayCount } from './counts.ts'
import type { Span } from '../time/date-range.ts'

/** Retention period; events before `keptSince` (ms UTC) are hidden. */
export interface RetentionPeriod {
  readonly days: number
  readonly keptSince: number
}

/** Retention of the account's own plan, and of the camera owner's plan for each camera that the user can see. */
export interface RetentionByCamera {
  readonly own: RetentionPeriod
  readonly cameras: readonly (RetentionPeriod & { readonly deviceId: string })[]
}

export interface RetentionNoticeText {
  readonly text: string
  /**
   * True if the shortest retention period of the selected cameras equals that of the account's own plan, so that an
   * upgrade may keep more.
   */
  readonly isOwnPlan: boolean
  /** True if all chosen days are outside the longest retention period of the selected cameras. */
  readonly isAllHidden: boolean
}

/**
 * Returns the notice if some of the days are outside the shortest retention period of the selected cameras, else null.
 * `chosen`: ids of the selected cameras, empty for all (OPEN-67).
 */
export function retentionText(
  { own, cameras }: RetentionByCamera,
  days: Span,
  chosen: readonly string[],
): RetentionNoticeText | null {
  const selectedPeriods = cameras.filter(({ deviceId }) => chosen.length === 0 || chosen.includes(deviceId))
  const sorted = (selectedPeriods.length > 0 ? selectedPeriods : [own]).toSorted((a, b) => a.days - b.days)
  const [shortest = own, longest = own] = [sorted[0], sorted.at(-1)]
  if (days.begin >= shortest.keptSince) return null
  const isOwnPlan = shortest.days === own.days
  return {
    text: `${retentionSentence(shortest.days, longest.days, isOwnPlan)} Older events are hidden.`,
    isOwnPlan,
    isAllHidden: days.end < longest.keptSince,
  }
}

function retentionSentence(minDays: number, maxDays: number, isOwnPlan: boolean): string {
  if (minDays < maxDays)
    return `Some cameras keep ${formatDayCount(minDays)} of events, others up to ${formatDayCount(maxDays)}.`
  return `${isOwnPlan ? 'Your plan' : 'The owner’s plan'} keeps ${formatDayCount(minDays)} of events.`
}
