import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { formatCameraCount, formatDayCount, formatNumber } from './counts.ts'
import { formatAll } from './lists.ts'

interface PlanSimulationRow {
  readonly sku: Sku
  readonly cameras: number
  readonly is_own: boolean
  readonly kept: number
  readonly lost: number
  /** Null: the plan has no search. Undefined: the searches were not repeated for this row. */
  readonly found: number | null | undefined
  readonly isBusiest?: boolean
}

const MIN_HISTORY_DAYS = 7

export const lastDaysTitle = (days: number): string =>
  days === 1 ? 'The past day' : `Your last ${formatDayCount(days)}`

/**
 * Describes the retention period and the number of covered cameras: `14 days, 2 cameras`; `30 days, all 6 cameras`; `1 day` for
 * the free plan.
 */
export function simulatedCoverageLabel(
  { sku, cameras, isBusiest = false }: PlanSimulationRow,
  cameraCount: number,
): string {
  const { keepsDays } = getPlan(sku)
  const days = formatDayCount(keepsDays ?? 1)
  if (sku === 'free') return days
  if (isBusiest) return `${days}, your ${cameras === 1 ? 'busiest camera' : `${cameras} busiest cameras`}`
  if (cameras < cameraCount || cameraCount === 0) return `${days}, ${formatCameraCount(cameras)}`
  return cameraCount === 1 ? `${days}, your camera` : `${days}, ${formatAll(cameraCount, 'camera')}`
}

/**
 * Returns how many past searches would find a clip with this plan. Without past searches, or for a plan without search,
 * returns whether the plan includes search.
 */
export function searchResultLabel({ found }: Pick<PlanSimulationRow, 'found'>, searches: number): string {
  if (found === null) return 'Search not included'
  return searches === 0 || found === undefined
    ? 'Includes search'
    : `${formatNumber(found)} of ${formatNumber(searches)}`
}

/** Explains that the simulation has too little history; '' if the history is long enough. */
export function historyText(days: number): string {
  if (days === 0) return 'You don’t have any clips yet. You’ll see numbers here once you do.'
  return days < MIN_HISTORY_DAYS
    ? `You have only ${formatDayCount(days)} of history, so these numbers are still low.`
    : ''
}

export function isChosenRow(
  row: PlanSimulationRow,
  chosen: { sku: Sku; quantity: number },
  cameraCount: number,
): boolean {
  if (row.sku !== chosen.sku) return false
  if (getPlan(row.sku).per === 'home') return true
  return row.cameras === Math.min(chosen.quantity, cameraCount)
}
