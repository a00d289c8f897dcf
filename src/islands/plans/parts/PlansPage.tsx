import { useStore } from '@nanostores/react'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { yearSaves } from '../../../domain/billing/plan-comparison.ts'
import type { Period } from '../../../../contract/billing/money.ts'
import { SAMPLE_EXPERIMENT, type MarkName } from '../../../../contract/telemetry/telemetry-calls.ts'
import { $catalogue, loadCatalogue, pricesOf } from '../../../stores/billing/plan-catalog.ts'
import { takeCouponOfAddress } from '../../../stores/billing/carried-coupon.ts'
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
const isAnnualFirst = (shown: ShownVariant | null): boolean =>
  shown?.variant === 'treatment' && shown.experiment !== SAMPLE_EXPERIMENT

/** What each plan costs, beside what it would have kept of the home's own last days. */
export function PlansPage() {
  // The experiment: which prices stand there first.
  const shown = useSyncExternalStore(never, shownVariant, () => null)
  const [chosen, setPeriod] = useState<Period | null>(null)
  const period = chosen ?? (isAnnualFirst(shown) ? 'annual' : 'monthly')
  const truth = useStore($truth)
  useEffect(() => {
    takeCouponOfAddress()
    for (const load of [loadCatalogue, loadTruth, loadSubscriptions]) void load()
  }, [])
  useEffect(() => {
    if (!shown) return
    const { experiment: flag, variant } = shown
    performance.mark('$exposure' satisfies MarkName, { detail: { flag, variant } })
  }, [shown])
  const catalogue = useStore($catalogue)
  const saves = yearSaves(pricesOf(catalogue))
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
          {PERIODS.map(([one, word]) => (
            <button key={one} type="button" aria-pressed={one === period} onClick={() => setPeriod(one)}>
              {word}
              {one === 'annual' && saves > 0 && <span className="badge badge-success">{saves} % less</span>}
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
