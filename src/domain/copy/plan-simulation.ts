import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { inDays, inFigures } from './counts.ts'

interface TruthRow {
  readonly sku: Sku
  readonly cameras: number
  readonly is_own: boolean
  readonly kept: number
  readonly lost: number
  readonly found: number | null
}

/** Minimum history for a meaningful estimate of a month. */
const ENOUGH_DAYS = 7

export const lastDaysTitle = (days: number): string =>
  days === 1 ? 'On your last day' : `On your last ${inDays(days)}`

/** `14 days, 2 covered`; `30 days, all 6`; `1 day` for the free plan. */
export function reachLabel({ sku, cameras }: TruthRow, all: number): string {
  const { keepsDays } = getPlan(sku)
  const days = inDays(keepsDays ?? 1)
  if (sku === 'free') return days
  if (cameras < all || all === 0) return `${days}, ${cameras} covered`
  return all === 1 ? `${days}, your camera` : `${days}, all ${all}`
}

/** Returns how many of the searches find a clip with this plan. Without searches, tells if the plan includes search. */
export function searchResultLabel({ found }: Pick<TruthRow, 'found'>, searches: number): string {
  if (found === null) return 'no search'
  return searches === 0 ? 'with search' : `${inFigures(found)} of ${inFigures(searches)}`
}

/** Describes a short history behind the numbers; '' if it is sufficient. */
export function historyText(days: number): string {
  if (days === 0) return 'There is no history yet: these numbers come with your first clips.'
  return days < ENOUGH_DAYS ? `You have ${inDays(days)} of history so far, so these numbers are small.` : ''
}

export function isChosenRow(row: TruthRow, chosen: { sku: Sku; quantity: number }, all: number): boolean {
  if (row.sku !== chosen.sku) return false
  if (getPlan(row.sku).per === 'home') return true
  return row.cameras === Math.min(chosen.quantity, all)
}
