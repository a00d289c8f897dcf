import { formatShortMoney } from '../../../../contract/billing/amounts.ts'
import { useStore } from '@nanostores/react'
import Check from 'lucide-react/icons/check'
import { FREE_RETENTION_DAYS } from '../../../../contract/billing/plan-catalog.ts'
import { formatClipCount, formatNumber } from '../../../domain/copy/counts.ts'
import { $planSimulation } from '../../../stores/billing/plan-simulation.ts'

export function FreeRow() {
  const simulation = useStore($planSimulation)
  const freePlan = simulation.state === 'ready' ? simulation.plans.find(({ sku }) => sku === 'free') : undefined
  return (
    <section className="panel free-row" aria-label="Free">
      <div>
        <h2>
          Free{' '}
          {freePlan?.is_own && (
            <span className="badge badge-success">
              <Check size={14} aria-hidden="true" />
              You have this
            </span>
          )}
        </h2>
        <p>{formatShortMoney(0)}, no card</p>
      </div>
      <p>
        Live view of every camera, and clips of the free kinds of events, kept for {FREE_RETENTION_DAYS} day.
        {simulation.state === 'ready' && freePlan && simulation.clips > 0 && (
          <>
            {' '}
            <b>
              {formatNumber(freePlan.kept)} of your {formatClipCount(simulation.clips)}
            </b>{' '}
            would have been kept.
          </>
        )}
      </p>
      <a className="text-action" href="#compare">
        Compare all plans
      </a>
    </section>
  )
}
