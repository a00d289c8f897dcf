import { HOME_MONITORING, SAMPLE_NOTE } from '../../../../contract/brand.ts'
import { useStore } from '@nanostores/react'
import Check from 'lucide-react/icons/check'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { CURRENCY } from '../../../../contract/billing/amounts.ts'
import { type Period } from '../../../../contract/billing/money.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import type { Sku } from '../../../../contract/billing/skus.ts'
import { inMoney } from '../../../../contract/billing/amounts.ts'
import { bestFor, suggestionText } from '../../../domain/billing/plan-comparison.ts'
import { inCameras } from '../../../domain/copy/counts.ts'
import { savingText, wayTo } from '../../../domain/copy/plan-page.ts'
import { $catalog, isSold, planPrices } from '../../../stores/billing/plan-catalog.ts'
import { $currency } from '../../../stores/billing/currency.ts'
import { $running } from '../../../stores/billing/current-plans.ts'
import { $truth } from '../../../stores/billing/plan-simulation.ts'
import { Kept } from './SimulatedRetention.tsx'

/** Plans that have their own page (PLAN-01). */
const OFFERED: readonly Sku[] = ['cam-ai', 'unlimited', 'hms']
const SENTENCES: Partial<Record<Sku, string>> = {
  'cam-ai': 'Pay for each camera you choose.',
  unlimited: 'Every camera at one price.',
  hms: HOME_MONITORING?.does ?? SAMPLE_NOTE,
}

/** One card per plan: its price, a mark on the current plan, and the reason if the plan is suggested. */
export function OfferCards({ period }: { period: Period }) {
  const catalog = useStore($catalog)
  // Hydrates with the prerendered currency, because the browser's storage may contain a different one.
  const currency = useStore($currency, { ssr: () => CURRENCY })
  const running = useStore($running)
  const truth = useStore($truth)
  const cameras = truth.state === 'ready' ? truth.cameras : 0
  const prices = planPrices(catalog)
  const has = (sku: Sku) =>
    running.find((subscription) => subscription.sku === sku || (sku === 'unlimited' && subscription.sku === 'pro'))
  const best = running.some(({ sku }) => sku === 'unlimited' || sku === 'pro') ? null : bestFor(cameras, prices, period)
  return (
    <ul className="prices">
      {OFFERED.map((sku) => (
        <OfferCard
          key={sku}
          {...{ sku, period, currency, cameras }}
          price={prices[sku]}
          own={has(sku) ?? null}
          best={best?.sku === sku ? suggestionText(best, cameras, currency) : null}
          isSold={isSold(catalog, sku)}
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
  best: string | null
  cameras: number
  isSold: boolean
}

function OfferCard(props: OfferCardProps) {
  const { sku, period, currency, price, own, best, cameras, isSold } = props
  const { name, per, tier } = getPlan(sku)
  const unit = per === 'camera' ? 'each camera' : tier === null ? 'whole home' : 'all cameras'
  return (
    <li className={best ? 'price-card price-best' : 'price-card'}>
      {best && <span className="price-label">Best for your {cameras === 1 ? 'camera' : inCameras(cameras)}</span>}
      <div className="offer-name">
        <h2>{name}</h2>
        {own && (
          <span className="badge badge-success">
            <Check size={14} aria-hidden="true" />
            You have this
          </span>
        )}
      </div>
      <p className="text-small text-ink-2">{SENTENCES[sku]}</p>
      <p className="mt-3">
        <span className="price-amount">{inMoney(price[period], currency)}</span>{' '}
        <span className="text-ink-2 ml-1 font-bold">
          {period === 'annual' ? 'a year' : 'a month'}, {unit}
        </span>
      </p>
      <p className="offer-fact" data-best={best !== null || undefined}>
        {best ??
          (own ? ownFact(own) : period === 'annual' ? savingText(price.monthly, price.annual, per, currency) : '')}
      </p>
      <Kept sku={sku} />
      <ul className="price-facts mt-4 mb-6">
        {listFacts(sku, cameras).map((fact) => (
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
        <a className={`btn mt-auto ${best ? 'btn-primary' : 'btn-outline'}`} href={wayTo(sku, period)}>
          {own?.channel === 'web' ? `Change ${name}` : `Choose ${name}`}
        </a>
      ) : (
        <p className="text-small text-ink-2 mt-auto font-semibold">Not on sale here.</p>
      )}
    </li>
  )
}

const ownFact = ({ sku, quantity, period, status, channel }: Subscription): string => {
  if (channel === 'amazon') return 'Bought on Amazon, and changed there'
  if (channel === 'bonus') return 'A bonus, which ends by itself'
  if (status === 'trial') return 'Free days, no card'
  if (sku === 'pro') return `${getPlan(sku).name}, ${period}`
  return getPlan(sku).per === 'camera'
    ? `${inCameras(quantity)} paid, ${period}`
    : period === 'annual'
      ? 'Paid by the year'
      : 'Paid by the month'
}

function listFacts(sku: Sku, cameras: number): string[] {
  const { keepsDays } = getPlan(sku)
  if (sku === 'hms')
    return ['For the whole home', 'Beside any camera plan, or without one', 'One price, however many cameras']
  const days = `${keepsDays} days of clips`
  if (sku === 'cam-ai') return [days, 'Search on covered cameras', 'All kinds of events']
  const all = cameras > 1 ? `all ${cameras} cameras` : 'every camera'
  return [days, `Search on ${all}`, `With Pro ${getPlan('pro').keepsDays} days`]
}
