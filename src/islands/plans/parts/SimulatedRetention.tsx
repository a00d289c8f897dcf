import { useStore } from '@nanostores/react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { formatDayCount } from '../../../domain/copy/counts.ts'
import type { PlanCardSku } from '../../../domain/copy/plan-cards.ts'
import { keptClipsTexts, MIN_METER_DAYS } from '../../../domain/copy/plan-offers.ts'
import { $planSimulation, loadPlanSimulation } from '../../../stores/billing/plan-simulation.ts'

/**
 * Shows how many recent clips the plan would have kept if it covered all cameras. With little history, shows only how
 * long the plan keeps clips, because the numbers of all plans would be about the same.
 */
export function SimulatedRetention({ sku }: { sku: PlanCardSku }) {
  const simulation = useStore($planSimulation)
  const keepsDays = formatDayCount(getPlan(sku).keepsDays ?? 0)
  if (simulation.state === 'loading')
    return <div className="skeleton kept" role="img" aria-label="Loading your recent clips" />
  if (simulation.state === 'failed')
    return (
      <div className="kept">
        <p>We couldn’t load your recent clips.</p>
        <button type="button" className="btn btn-outline btn-xs mt-2" onClick={() => void loadPlanSimulation()}>
          Try again
        </button>
      </div>
    )
  const row =
    simulation.plans.find((plan) => plan.sku === sku && !plan.is_own) ??
    simulation.plans.find((plan) => plan.sku === sku)
  if (!row || simulation.clips === 0 || simulation.days < MIN_METER_DAYS)
    return (
      <div className="kept">
        <p>
          <b>Clips kept for</b>
          <b>{keepsDays}</b>
        </p>
      </div>
    )
  const { count, reach } = keptClipsTexts(row, simulation)
  return (
    <div className="kept">
      <p>
        <b>{count}</b>
        <span>{keepsDays}</span>
      </p>
      <span className="meter" aria-hidden="true">
        <i style={{ width: `${(row.kept / simulation.clips) * 100}%` }} />
      </span>
      <small>{reach}</small>
    </div>
  )
}
