import { useStore } from '@nanostores/react'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { annualSavingPercent } from '../../../domain/billing/plan-comparison.ts'
import { CHOOSER_SENTENCE } from '../../../domain/copy/chooser-sentence.ts'
import { formatPercent } from '../../../domain/copy/counts.ts'
import { MIN_METER_DAYS } from '../../../domain/copy/plan-offers.ts'
import type { Period } from '../../../../contract/billing/money.ts'
import { SAMPLE_EXPERIMENT, type MarkName } from '../../../../contract/telemetry/telemetry-calls.ts'
import { $catalog, loadCatalog, listPlanPrices } from '../../../stores/billing/plan-catalog.ts'
import { carryCouponFromUrl } from '../../../stores/billing/carried-coupon.ts'
import { $ownCameraPlan } from '../../../stores/billing/current-plans.ts'
import { loadPlanSimulation, $planSimulation } from '../../../stores/billing/plan-simulation.ts'
import { $subscriptions, loadSubscriptions } from '../../../stores/billing/subscriptions.ts'
import { getDocumentVariant, type StoredVariant } from '../../../stores/storage/analytics-opt-out.ts'
import { PlansHeading } from '../PlansHeading.tsx'
import { HomeMonitoringRow } from './HomeMonitoringRow.tsx'
import { PlanCards, useSuggestion } from './PlanCards.tsx'
import { PlanComparison } from './PlanComparison.tsx'

/** Days that the simulation looks back. */
const SIMULATION_DAYS = 30

const PERIODS = [
  ['monthly', 'Monthly'],
  ['annual', 'Annual'],
] as const
const CHECKOUT_PROMISES = ['No pre-checked boxes', 'Total shown before you pay', 'Cancel anytime in Account']

const subscribeToNothing = () => () => undefined

/**
 * Returns true if the variant shows annual prices first. Both variants of the sample experiment show monthly prices
 * first.
 */
const isAnnualFirst = (exposure: StoredVariant | null): boolean =>
  exposure?.variant === 'treatment' && exposure.experiment !== SAMPLE_EXPERIMENT

export function PlansPage() {
  const exposure = useSyncExternalStore(subscribeToNothing, getDocumentVariant, () => null)
  const [now] = useState(Date.now)
  const [chosenPeriod, setPeriod] = useState<Period | null>(null)
  const ownPeriod = useStore($ownCameraPlan)?.period
  const period = chosenPeriod ?? ownPeriod ?? (isAnnualFirst(exposure) ? 'annual' : 'monthly')
  const areSubscriptionsLoading = useStore($subscriptions, { ssr: 'initial' }).state === 'loading'
  const isPeriodFromVariant = !areSubscriptionsLoading && ownPeriod === undefined
  const simulation = useStore($planSimulation)
  useEffect(() => {
    carryCouponFromUrl()
    for (const load of [loadCatalog, loadPlanSimulation, loadSubscriptions]) void load()
  }, [])
  useEffect(() => {
    if (!exposure || !isPeriodFromVariant) return
    const { experiment: flag, variant } = exposure
    performance.mark('$exposure' satisfies MarkName, { detail: { flag, variant } })
  }, [exposure, isPeriodFromVariant])
  const catalog = useStore($catalog)
  const savingPercent = annualSavingPercent(listPlanPrices(catalog))
  const suggestion = useSuggestion(period)
  const days = simulation.state === 'ready' && simulation.days > 0 ? simulation.days : SIMULATION_DAYS
  const hasMeter = simulation.state !== 'ready' || (simulation.clips > 0 && simulation.days >= MIN_METER_DAYS)
  return (
    <>
      <PlansHeading
        sentence={
          hasMeter
            ? `See how many of your clips from the last ${days} days each plan would have kept.`
            : CHOOSER_SENTENCE
        }
      >
        <div className="seg plans-period" role="group" aria-label="Billing period">
          {PERIODS.map(([option, word]) => (
            <button key={option} type="button" aria-pressed={option === period} onClick={() => setPeriod(option)}>
              {word}
              {option === 'annual' && savingPercent > 0 && (
                <span className="plan-saving">{`Save ${formatPercent(savingPercent)}`}</span>
              )}
            </button>
          ))}
        </div>
      </PlansHeading>
      <PlanCards period={period} now={now} />
      <HomeMonitoringRow period={period} />
      <ul className="plans-promises">
        {CHECKOUT_PROMISES.map((promise) => (
          <li key={promise}>
            <CircleCheck size={16} aria-hidden="true" />
            {promise}
          </li>
        ))}
      </ul>
      <PlanComparison suggested={suggestion?.sku ?? null} />
    </>
  )
}
