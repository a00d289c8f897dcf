import { useStore } from '@nanostores/react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Sku } from '../../../../contract/billing/skus.ts'
import { formatClipCount, formatNumber } from '../../../domain/copy/counts.ts'
import { lastDaysTitle } from '../../../domain/copy/plan-simulation.ts'
import { $planSimulation, loadPlanSimulation, type PlanSimulation } from '../../../stores/billing/plan-simulation.ts'

/**
 * Shows how many clips of the last 30 days the plan would have kept if it covered all cameras. Shows only a sentence
 * for a plan that does not affect clips.
 */
export function SimulatedRetention({ sku }: { sku: Sku }) {
  const simulation = useStore($planSimulation)
  if (getPlan(sku).tier === null)
    return (
      <div className="kept">
        <p>
          <b>Your clips stay as they are</b>
        </p>
        <small>How long they are kept is for camera plans. This one goes beside them.</small>
      </div>
    )
  if (simulation.state === 'loading')
    return <div className="skeleton kept" role="img" aria-label="Looking at your last days" />
  if (simulation.state === 'failed')
    return (
      <div className="kept">
        <p className="text-small">Your last days could not be looked at.</p>
        <button type="button" className="btn btn-outline btn-xs mt-2" onClick={() => void loadPlanSimulation()}>
          Try again
        </button>
      </div>
    )
  return <RetentionSummary truth={simulation} sku={sku} />
}

function RetentionSummary({ truth, sku }: { truth: PlanSimulation; sku: Sku }) {
  const row =
    truth.plans.find((plan) => plan.sku === sku && !plan.is_own) ?? truth.plans.find((plan) => plan.sku === sku)
  if (!row || truth.clips === 0) return null
  const { clips, cameras, days } = truth
  const allCamerasText = cameras === 1 ? 'Your camera' : `All ${cameras} cameras`
  const coverageText =
    row.lost === 0 ? 'Everything' : row.cameras >= cameras ? allCamerasText : `${row.cameras} of ${cameras} cameras`
  const periodText = lastDaysTitle(days).replace('On your', 'your')
  return (
    <div className="kept">
      <p>
        <b>
          {formatNumber(row.kept)} of {formatClipCount(clips)} kept
        </b>
        <span>{getPlan(sku).keepsDays} days</span>
      </p>
      <span className="meter" aria-hidden="true">
        <i style={{ width: `${(row.kept / clips) * 100}%` }} />
      </span>
      <small>{`${coverageText}, ${periodText}`}</small>
    </div>
  )
}
