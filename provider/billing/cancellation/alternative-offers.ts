import { PAUSE_MONTHS_MAX, type Leaving } from '../../../contract/billing/cancellation.ts'
import { planOf } from '../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { priceOf, type Sold } from '../pricing/price.ts'

type Offer = NonNullable<Leaving['offers']['fewer']>

const offer = (sold: Sold): Offer => {
  const { sku, period, quantity } = sold
  return { sku, period, quantity, cents: priceOf(sold), keeps_days: planOf(sku).keepsDays ?? 0 }
}

/** What lies between a plan and none; prices before tax. `used`: cameras that had clips lately, 0: all of them had. */
export function offersFor(one: Subscription, used: number): Leaving['offers'] {
  const { sku, status, paused_until } = one
  const { tier } = planOf(sku)
  const isCamera = tier !== null && tier > 0
  const pause_months = status === 'active' && paused_until === null ? PAUSE_MONTHS_MAX : 0
  return {
    pause_months,
    fewer: isCamera ? fewerOf(one, used) : null,
    other: isCamera ? otherOf(one) : null,
  }
}

/** Camera AI for the cameras that are used, where that costs less. */
function fewerOf({ sku, period, quantity }: Subscription, used: number): Offer | null {
  const fewer = offer({ sku: 'cam-ai', period, quantity: used })
  return used > 0 && fewer.cents < priceOf({ sku, period, quantity }) ? fewer : null
}

/** The same plan by the month, or the one below. */
function otherOf({ sku, period, quantity }: Subscription): Offer | null {
  if (period === 'annual') return offer({ sku, period: 'monthly', quantity })
  if (sku === 'pro') return offer({ sku: 'unlimited', period, quantity: 1 })
  return sku === 'unlimited' ? offer({ sku: 'cam-ai', period, quantity: 1 }) : null
}
