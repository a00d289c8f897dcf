import { HOME_MONITORING, SAMPLE_NOTE } from '../../../../contract/brand.ts'
import { useStore } from '@nanostores/react'
import Check from 'lucide-react/icons/check'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { CURRENCY } from '../../../../contract/billing/amounts.ts'
import { type Period } from '../../../../contract/billing/money.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import type { Sku } from '../../../../contract/billing/skus.ts'
import { formatMoney } from '../../../../contract/billing/amounts.ts'
import { findCheapestPlan, suggestionText } from '../../../domain/billing/plan-comparison.ts'
import { formatCameraCount } from '../../../domain/copy/counts.ts'
import { savingText, getPlanPath } from '../../../domain/copy/plan-page.ts'
import { $catalog, isPlanOnSale, listPlanPrices } from '../../../stores/billing/plan-catalog.ts'
import { $currency } from '../../../stores/billing/currency.ts'
import { $runningSubscriptions } from '../../../stores/billing/current-plans.ts'
import { $planSimulation } from '../../../stores/billing/plan-simulation.ts'
import { SimulatedRetention } from './SimulatedRetention.tsx'

/** Plans that have their own page (PLAN-01). */
const OFFERED_SKUS: readonly Sku[] = ['cam-ai', 'unlimited', 'hms']
const PLAN_SENTENCES: Partial<Record<Sku, string>> = {
  'cam-ai': 'Pay for each camera you choose.',
  unlimited: 'Every camera at one price.',
  hms: HOME_MONITORING?.does ?? SAMPLE_NOTE,
}

/** One card per plan: its price, a mark on the current plan, and the reason if the plan is suggested. */
export function OfferCards({ period }: { period: Period }) {
  const catalog = useStore($catalog)
  // Hydrates with the prerendered currency, because the browser's storage may contain a different one.
  const currency = useStore($currency, { ssr: () => CURRENCY })
  const subscriptions = useStore($runningSubscriptions)
  const simulation = useStore($planSimulation)
  const cameras = simulation.state === 'ready' ? simulation.cameras : 0
  const prices = listPlanPrices(catalog)
  const findOwnSubscription = (sku: Sku) =>
    subscriptions.find(
      (subscription) => subscription.sku === sku || (sku === 'unlimited' && subscription.sku === 'pro'),
    )
  const bestOffer = subscriptions.some(({ sku }) => sku === 'unlimited' || sku === 'pro')
    ? null
    : findCheapestPlan(cameras, prices, period)
  return (
    <ul className="prices">
      {OFFERED_SKUS.map((sku) => (
        <OfferCard
          key={sku}
          sku={sku}
          period={period}
          currency={currency}
          cameras={cameras}
          price={prices[sku]}
          own={findOwnSubscription(sku) ?? null}
          suggestion={bestOffer?.sku === sku ? suggestionText(bestOffer, cameras, currency) : null}
          isSold={isPlanOnSale(catalog, sku)}
        />
      ))}
    </ul>
  )
}

interface OfferCardProps {
  sku: Sku
  period: Period
  currency: string
  price: { monthly: number; annual: number }
  own: Subscription | null
  /** Reason why the plan is suggested; null if it is not. */
  suggestion: string | null
  cameras: number
  isSold: boolean
}

function OfferCard(props: OfferCardProps) {
  const { sku, period, currency, price, own, suggestion, cameras, isSold } = props
  const { name, per, tier } = getPlan(sku)
  const unit = per === 'camera' ? 'each camera' : tier === null ? 'whole home' : 'all cameras'
  return (
    <li className={suggestion ? 'price-card price-best' : 'price-card'}>
      {suggestion && (
        <span className="price-label">Best for your {cameras === 1 ? 'camera' : formatCameraCount(cameras)}</span>
      )}
      <div className="offer-name">
        <h2>{name}</h2>
        {own && (
          <span className="badge badge-success">
            <Check size={14} aria-hidden="true" />
            You have this
          </span>
        )}
      </div>
      <p className="text-small text-ink-2">{PLAN_SENTENCES[sku]}</p>
      <p className="mt-3">
        <span className="price-amount">{formatMoney(price[period], currency)}</span>{' '}
        <span className="text-ink-2 ml-1 font-bold">
          {period === 'annual' ? 'a year' : 'a month'}, {unit}
        </span>
      </p>
      <p className="offer-fact" data-best={suggestion !== null || undefined}>
        {suggestion ??
          (own
            ? formatOwnPlan(own)
            : period === 'annual'
              ? savingText(price.monthly, price.annual, per, currency)
              : '')}
      </p>
      <SimulatedRetention sku={sku} />
      <ul className="price-facts mt-4 mb-6">
        {listPlanFacts(sku, cameras).map((fact) => (
          <li key={fact}>
            <Check size={18} aria-hidden="true" />
            {fact}
          </li>
        ))}
      </ul>
      {own && tier === null ? (
        <a className="btn btn-outline mt-auto" href="/account/services">
          See your services
        </a>
      ) : isSold ? (
        <a className={`btn mt-auto ${suggestion ? 'btn-primary' : 'btn-outline'}`} href={getPlanPath(sku, period)}>
          {own?.channel === 'web' ? `Change ${name}` : `Choose ${name}`}
        </a>
      ) : (
        <p className="text-small text-ink-2 mt-auto font-semibold">Not on sale here.</p>
      )}
    </li>
  )
}

const formatOwnPlan = ({ sku, quantity, period, status, channel }: Subscription): string => {
  if (channel === 'amazon') return 'Bought on Amazon, and changed there'
  if (channel === 'bonus') return 'A bonus, which ends automatically'
  if (status === 'trial') return 'Free days, no card'
  if (sku === 'pro') return `${getPlan(sku).name}, ${period}`
  return getPlan(sku).per === 'camera'
    ? `${formatCameraCount(quantity)} paid, ${period}`
    : period === 'annual'
      ? 'Paid by the year'
      : 'Paid by the month'
}

function listPlanFacts(sku: Sku, cameras: number): string[] {
  const { keepsDays } = getPlan(sku)
  if (sku === 'hms')
    return ['For the whole home', 'Beside any camera plan, or without one', 'One price, however many cameras']
  const days = `${keepsDays} days of clips`
  if (sku === 'cam-ai') return [days, 'Search on covered cameras', 'All kinds of events']
  const all = cameras > 1 ? `all ${cameras} cameras` : 'every camera'
  return [days, `Search on ${all}`, `With Pro ${getPlan('pro').keepsDays} days`]
}
