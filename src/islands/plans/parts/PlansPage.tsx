import { useStore } from '@nanostores/react'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { yearSaves } from '../../../domain/billing/plan-comparison.ts'
import type { Period } from '../../../../contract/billing/money.ts'
import { SAMPLE_EXPERIMENT, type MarkName } from '../../../../contract/telemetry/telemetry-calls.ts'
import { $catalog, loadCatalog, planPrices } from '../../../stores/billing/plan-catalog.ts'
import { carryCouponFromUrl } from '../../../stores/billing/carried-coupon.ts'
import { loadTruth, $truth } from '../../../stores/billing/plan-simulation.ts'
import { loadSubscriptions } from '../../../stores/billing/subscriptions.ts'
import { shownVariant, type ShownVariant } from '../../../stores/storage/analytics-opt-out.ts'
import { Compare } from './PlanComparison.tsx'
import { FreeRow } from './FreeRow.tsx'
import { OfferCards } from './OfferCards.tsx'

const PERIODS = [
  ['monthly', 'Monthly'],
  ['annual', 'Annual'],
] as const
const PROMISES = [
  'Nothing is ticked for you',
  'The preview is the charge, to the cent',
  'What is due today is said before you pay',
]

const never = () => () => undefined

/** Both variants of the sample experiment show prices by month. */
const isAnnualFirst = (exposure: ShownVariant | null): boolean =>
  exposure?.variant === 'treatment' && exposure.experiment !== SAMPLE_EXPERIMENT

export function PlansPage() {
  // The experiment decides if monthly or annual prices are shown first.
  const exposure = useSyncExternalStore(never, shownVariant, () => null)
  const [chosen, setPeriod] = useState<Period | null>(null)
  const period = chosen ?? (isAnnualFirst(exposure) ? 'annual' : 'monthly')
  const truth = useStore($truth)
  useEffect(() => {
    carryCouponFromUrl()
    for (const load of [loadCatalog, loadTruth, loadSubscriptions]) void load()
  }, [])
  useEffect(() => {
    if (!exposure) return
    const { experiment: flag, variant } = exposure
    performance.mark('$exposure' satisfies MarkName, { detail: { flag, variant } })
  }, [exposure])
  const catalog = useStore($catalog)
  const saves = yearSaves(planPrices(catalog))
  const days = truth.state === 'ready' && truth.days > 0 ? truth.days : 30
  const isNew = truth.state === 'ready' && truth.clips === 0
  return (
    <>
      <div className="plans-head">
        <div>
          <h1>Choose a plan</h1>
          <p className="text-ink-2 mt-1">
            {isNew
              ? 'Once you have clips, each price below is shown with what it would have kept of them.'
              : `Each price below is shown with what it would have kept of your own last ${days === 1 ? 'day' : `${days} days`}.`}
          </p>
        </div>
        <div className="seg plans-period" role="group" aria-label="Prices by">
          {PERIODS.map(([option, word]) => (
            <button key={option} type="button" aria-pressed={option === period} onClick={() => setPeriod(option)}>
              {word}
              {option === 'annual' && saves > 0 && <span className="badge badge-success">{saves} % less</span>}
            </button>
          ))}
        </div>
      </div>
      <OfferCards period={period} />
      <FreeRow />
      <ul className="plans-promises">
        {PROMISES.map((promise) => (
          <li key={promise}>
            <CircleCheck size={16} aria-hidden="true" />
            {promise}
          </li>
        ))}
      </ul>
      <Compare />
    </>
  )
}
