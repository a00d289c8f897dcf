import type { Span } from '../time/date-range.ts'

/** Retention period; events before `keptSince` (ms UTC) are hidden. */
export interface RetentionPeriod {
  readonly days: number
  readonly keptSince: number
}

/** Retention of the account's own plan, and of the camera owner's plan for each camera that the user can see. */
export interface KeptByCamera {
  readonly own: RetentionPeriod
  readonly cameras: readonly (RetentionPeriod & { readonly deviceId: string })[]
}

export interface KeptWords {
  readonly text: string
  /** True if the account's own plan sets the shortest retention period, so that a better plan would keep more. */
  readonly isOwnPlan: boolean
  /** True if none of the chosen days is within the retention period. */
  readonly isAll: boolean
}

const inDays = (days: number) => (days === 1 ? '1 day' : `${days} days`)

/**
 * Returns the notice for days that are outside the retention period; null if all are kept. `chosen`: ids of the
 * filtered cameras, empty for all (OPEN-67).
 */
export function retentionText({ own, cameras }: KeptByCamera, days: Span, chosen: readonly string[]): KeptWords | null {
  const seen = cameras.filter(({ deviceId }) => chosen.length === 0 || chosen.includes(deviceId))
  const sorted = (seen.length > 0 ? seen : [own]).toSorted((a, b) => a.days - b.days)
  const [shortest = own, longest = own] = [sorted[0], sorted.at(-1)]
  if (days.begin >= shortest.keptSince) return null
  const isOwnPlan = shortest.days === own.days
  return {
    text: `${sentence(shortest.days, longest.days, isOwnPlan)} Older ones are hidden.`,
    isOwnPlan,
    isAll: days.end < longest.keptSince,
  }
}

function sentence(minDays: number, maxDays: number, isOwnPlan: boolean): string {
  if (minDays < maxDays) return `Some cameras keep ${inDays(minDays)} of events, others up to ${inDays(maxDays)}.`
  return `${isOwnPlan ? 'Your plan' : 'The plan of their owner'} keeps ${inDays(minDays)} of events.`
}
