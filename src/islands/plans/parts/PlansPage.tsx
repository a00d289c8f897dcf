import { useStore } from '@nanostores/react'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { annualSavingPercent } from '../../../domain/billing/plan-comparison.ts'
import type { Period } from '../../../../contract/billing/money.ts'
import { SAMPLE_EXPERIMENT, type MarkName } from '../../../../contract/telemetry/telemetry-calls.ts'
import { $catalog, loadCatalog, listPlanPrices } from '../../../stores/billing/plan-catalog.ts'
import { carryCouponFromUrl } from '../../../stores/billing/carried-coupon.ts'
import { loadPlanSimulation, $planSimulation } from '../../../stores/billing/plan-simulation.ts'
import { loadSubscriptions } from '../../../stores/billing/subscriptions.ts'
import { getDocumentVariant, type StoredVariant } from '../../../stores/storage/analytics-opt-out.ts'
import { PlanComparison } from './PlanComparison.tsx'
import { FreeRow } from './FreeRow.tsx'
import { OfferCards } from './OfferCards.tsx'

const PERIODS = [
  ['monthly', 'Monthly'],
  ['annual', 'Annual'],
] as const
const CHECKOUT_PROMISES = [
  'Nothing is ticked for you',
  'The preview is the charge, to the cent',
  'What is due today is said before you pay',
]

const subscribeToNothing = () => () => undefined

/**
 * Returns true if the variant shows annual prices first. Both variants of the sample experiment show monthly prices
 * first.
 */
const isAnnualFirst = (exposure: StoredVariant | null): boolean =>
  exposure?.variant === 'treatment' && exposure.experiment !== SAMPLE_EXPERIMENT

export function PlansPage() {
  const exposure = useSyncExternalStore(subscribeToNothing, getDocumentVariant, () => null)
  const [chosenPeriod, setPeriod] = useState<Period | null>(null)
  const period = chosenPeriod ?? (isAnnualFirst(exposure) ? 'annual' : 'monthly')
  const simulation = useStore($planSimulation)
  useEffect(() => {
    carryCouponFromUrl()
    for (const load of [loadCatalog, loadPlanSimulation, loadSubscriptions]) void load()
  }, [])
  useEffect(() => {
    if (!exposure) return
    const { experiment: flag, variant } = exposure
    performance.mark('$exposure' satisfies MarkName, { detail: { flag, variant } })
  }, [exposure])
  const catalog = useStore($catalog)
  const savingPercent = annualSavingPercent(listPlanPrices(catalog))
  const days = simulation.state === 'ready' && simulation.days > 0 ? simulation.days : 30
  const hasNoClips = simulation.state === 'ready' && simulation.clips === 0
  return (
    <>
      <div className="plans-head">
        <div>
          <h1>Choose a plan</h1>
          <p className="text-ink-2 mt-1">
            {hasNoClips
              ? 'Once you have clips, each price below is shown with what it would have kept of them.'
              : `Each price below is shown with what it would have kept of your own last ${days === 1 ? 'day' : `${days} days`}.`}
          </p>
        </div>
        <div className="seg plans-period" role="group" aria-label="Prices by">
          {PERIODS.map(([option, word]) => (
            <button key={option} type="button" aria-pressed={option === period} onClick={() => setPeriod(option)}>
              {word}
              {option === 'annual' && savingPercent > 0 && (
                <span className="badge badge-success">{savingPercent} % less</span>
              )}
            </button>
          ))}
        </div>
      </div>
      <OfferCards period={period} />
      <FreeRow />
      <ul className="plans-promises">
        {CHECKOUT_PROMISES.map((promise) => (
          <li key={promise}>
            <CircleCheck size={16} aria-hidden="true" />
            {promise}
          </li>
        ))}
      </ul>
      <PlanComparison />
    </>
  )
}
