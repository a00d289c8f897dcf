import { useStore } from '@nanostores/react'
import { CURRENCY, formatMoney } from '../../../../contract/billing/amounts.ts'
import type { Period } from '../../../../contract/billing/money.ts'
import { HOME_MONITORING_ROW } from '../../../domain/copy/plan-cards.ts'
import { getPlanPath } from '../../../domain/copy/plan-page.ts'
import { $catalog, getPlanPrice, isPlanOnSale } from '../../../stores/billing/plan-catalog.ts'
import { $currency } from '../../../stores/billing/currency.ts'
import { $runningSubscriptions } from '../../../stores/billing/current-plans.ts'

/** Home monitoring, which is beside the camera plans. Shows a price and a button only if the catalog sells it. */
export function HomeMonitoringRow({ period }: { period: Period }) {
  const catalog = useStore($catalog)
  const currency = useStore($currency, { ssr: () => CURRENCY })
  const isOwn = useStore($runningSubscriptions).some(({ sku }) => sku === 'hms')
  const isSold = catalog.state === 'ready' && isPlanOnSale(catalog, 'hms')
  const isUnsold = catalog.state === 'ready' && !isSold && !isOwn
  return (
    <section className="price-row" aria-labelledby="home-monitoring">
      <h3 id="home-monitoring" className="text-base/6">
        {HOME_MONITORING_ROW.name}
      </h3>
      <p className="text-small text-ink-2">
        {isUnsold ? 'A separate service for the whole home. Not available here yet.' : HOME_MONITORING_ROW.sentence}
      </p>
      {isSold && !isOwn && (
        <p className="text-small font-bold">
          {formatMoney(getPlanPrice(catalog, 'hms')[period], currency)} {period === 'annual' ? 'a year' : 'a month'}
        </p>
      )}
      {isOwn ? (
        <a className="btn btn-outline btn-sm" href="/account/services">
          Go to Services
        </a>
      ) : (
        isSold && (
          <a className="btn btn-outline btn-sm" href={getPlanPath('hms', period)}>
            Choose {HOME_MONITORING_ROW.name}
          </a>
        )
      )}
    </section>
  )
}
