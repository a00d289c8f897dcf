import { inShortMoney } from '../../../../contract/billing/amounts.ts'
import { useStore } from '@nanostores/react'
import Check from 'lucide-react/icons/check'
import { FREE_DAYS } from '../../../../contract/billing/plan-catalog.ts'
import { inClips, inFigures } from '../../../domain/copy/counts.ts'
import { $truth } from '../../../stores/billing/plan-simulation.ts'

export function FreeRow() {
  const truth = useStore($truth)
  const free = truth.state === 'ready' ? truth.plans.find(({ sku }) => sku === 'free') : undefined
  return (
    <section className="panel free-row" aria-label="Free">
      <div>
        <h2>
          Free{' '}
          {free?.is_own && (
            <span className="badge badge-success">
              <Check size={14} aria-hidden="true" />
              You have this
            </span>
          )}
        </h2>
        <p>{inShortMoney(0)}, no card</p>
      </div>
      <p>
        Live view of every camera, and clips of the free kinds of events, kept for {FREE_DAYS} day.
        {truth.state === 'ready' && free && truth.clips > 0 && (
          <>
            {' '}
            <b>
              {inFigures(free.kept)} of your {inClips(truth.clips)}
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
