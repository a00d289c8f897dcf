import type { Span } from '../time/date-range.ts'

/** How long something is kept; what is older than `keptSince` (ms UTC) is not shown. */
export interface RetentionPeriod {
  readonly days: number
  readonly keptSince: number
}

/** By the account's own plan, and by the plan of its owner for each camera that the user may see. */
export interface KeptByCamera {
  readonly own: RetentionPeriod
  readonly cameras: readonly (RetentionPeriod & { readonly deviceId: string })[]
}

export interface KeptWords {
  readonly text: string
  /** Another plan of the account itself would keep more. */
  readonly isOwnPlan: boolean
  /** Nothing of the days is kept. */
  readonly isAll: boolean
}

const inDays = (days: number) => (days === 1 ? '1 day' : `${days} days`)

/**
 * What of some days no plan keeps, as the provider tells it; null when all is kept. `chosen`: the cameras that are looked
 * at, none for all of them (OPEN-67).
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
